//! The words of the sample shop: places, people and goods, all invented or everyday. Next: `shop`.

/// A region of the world with its sales manager and the countries and cities customers live in.
pub struct RegionWords {
    /// Its name.
    pub region: &'static str,
    /// Who is responsible for it.
    pub manager: &'static str,
    /// Countries with one city each.
    pub places: &'static [(&'static str, &'static str)],
    /// Share of all customers, in percent.
    pub share: u32,
}

/// A group of goods with a name and a price in cents each.
pub struct CategoryWords {
    /// Its name.
    pub category: &'static str,
    /// Its goods.
    pub products: &'static [(&'static str, i64)],
}

pub const REGIONS: [RegionWords; 5] = [
    RegionWords {
        region: "Europe",
        manager: "Ingrid Solberg",
        places: &[
            ("Germany", "Hamburg"),
            ("France", "Lyon"),
            ("Spain", "Valencia"),
            ("Italy", "Bologna"),
            ("Netherlands", "Utrecht"),
            ("Sweden", "Malmö"),
            ("Poland", "Kraków"),
            ("United Kingdom", "Leeds"),
        ],
        share: 36,
    },
    RegionWords {
        region: "North America",
        manager: "Dana Whitfield",
        places: &[("United States", "Portland"), ("Canada", "Halifax"), ("Mexico", "Mérida")],
        share: 30,
    },
    RegionWords {
        region: "Asia Pacific",
        manager: "Kenji Arakawa",
        places: &[("Japan", "Nagoya"), ("Australia", "Adelaide"), ("India", "Pune"), ("Singapore", "Singapore")],
        share: 18,
    },
    RegionWords {
        region: "South America",
        manager: "Lucía Ferreyra",
        places: &[("Brazil", "Curitiba"), ("Argentina", "Rosario"), ("Chile", "Valparaíso")],
        share: 10,
    },
    RegionWords {
        region: "Africa",
        manager: "Thabo Nkosi",
        places: &[("South Africa", "Durban"), ("Kenya", "Mombasa"), ("Ghana", "Kumasi")],
        share: 6,
    },
];

pub const CATEGORIES: [CategoryWords; 6] = [
    CategoryWords {
        category: "Furniture",
        products: &[
            ("Oak Desk", 42_900),
            ("Standing Desk", 58_900),
            ("Mesh Chair", 23_900),
            ("Visitor Chair", 9_900),
            ("Filing Cabinet", 17_900),
            ("Bookcase", 14_900),
        ],
    },
    CategoryWords {
        category: "Electronics",
        products: &[
            ("Laptop 14", 119_900),
            ("Monitor 27", 32_900),
            ("Wireless Keyboard", 5_900),
            ("Wireless Mouse", 3_400),
            ("Docking Station", 18_900),
            ("Webcam", 7_900),
            ("Headset", 11_900),
        ],
    },
    CategoryWords {
        category: "Paper",
        products: &[
            ("Copy Paper Box", 2_990),
            ("Recycled Paper Box", 3_290),
            ("Notebook A5", 450),
            ("Notebook A4", 690),
            ("Sticky Notes", 320),
            ("Envelopes", 790),
        ],
    },
    CategoryWords {
        category: "Writing",
        products: &[
            ("Ballpoint Pens", 590),
            ("Fountain Pen", 4_900),
            ("Highlighters", 680),
            ("Pencils", 420),
            ("Whiteboard Markers", 890),
        ],
    },
    CategoryWords {
        category: "Kitchen",
        products: &[
            ("Coffee Beans", 1_590),
            ("Green Tea", 890),
            ("Coffee Machine", 44_900),
            ("Water Filter", 2_490),
            ("Mug Set", 2_290),
        ],
    },
    CategoryWords {
        category: "Lighting",
        products: &[("Desk Lamp", 4_590), ("Floor Lamp", 12_900), ("Ceiling Panel", 15_900), ("Daylight Bulbs", 1_190)],
    },
];

pub const SEGMENTS: [&str; 4] = ["Small Business", "Enterprise", "Consumer", "Public Sector"];

pub const CHANNELS: [&str; 3] = ["Online", "Store", "Phone"];

pub const FIRST_NAMES: [&str; 36] = [
    "Ada", "Amir", "Anika", "Bruno", "Carla", "Chidi", "Clara", "Daniel", "Elena", "Emeka", "Eva", "Felix", "Freya",
    "Hana", "Hugo", "Ines", "Jonas", "Julia", "Kofi", "Lars", "Leila", "Marta", "Mei", "Miguel", "Nadia", "Noah",
    "Olga", "Oscar", "Priya", "Rafael", "Sara", "Sofia", "Tariq", "Tomás", "Yuki", "Zoë",
];

pub const LAST_NAMES: [&str; 40] = [
    "Abara",
    "Andersen",
    "Bauer",
    "Bianchi",
    "Castro",
    "Chen",
    "Costa",
    "Dubois",
    "Eriksen",
    "Fischer",
    "Fontaine",
    "García",
    "Greene",
    "Haddad",
    "Hoffmann",
    "Ito",
    "Jansen",
    "Kaplan",
    "Keller",
    "Kowalski",
    "Lindqvist",
    "López",
    "Marino",
    "Mensah",
    "Moreau",
    "Nakamura",
    "Novak",
    "O'Brien",
    "Okafor",
    "Patel",
    "Pereira",
    "Quinn",
    "Rossi",
    "Sato",
    "Schmidt",
    "Silva",
    "Tanaka",
    "Torres",
    "Weber",
    "Young",
];
