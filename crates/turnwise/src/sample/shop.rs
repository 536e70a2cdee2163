//! What the sample shop sold to whom: regions, customers, products, and four years of orders that grow, peak before the
//! end of the year and sag in summer. Whole numbers only, so that no machine rounds differently. Next: `files`.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::names::{CATEGORIES, CHANNELS, FIRST_NAMES, LAST_NAMES, REGIONS, SEGMENTS};
use super::random::Random;

/// Everything the shop knows.
#[derive(Debug)]
pub struct Shop {
    pub customers: Vec<Customer>,
    pub products: Vec<Product>,
    /// In the order they came in.
    pub orders: Vec<Order>,
}

/// Someone who buys; numbered from 1 by position.
#[derive(Debug)]
pub struct Customer {
    pub name: String,
    /// Not known for a few.
    pub segment: Option<&'static str>,
    pub city: &'static str,
    pub country: &'static str,
    /// From 1, as in the table of regions.
    pub region: i64,
    pub since: Date,
}

/// Something sold; numbered from 1 by position.
#[derive(Debug)]
pub struct Product {
    pub name: &'static str,
    pub category: &'static str,
    pub price_cents: i64,
}

/// One order of one product; numbered from 1 by position.
#[derive(Debug)]
pub struct Order {
    pub date: Date,
    pub customer: i64,
    pub product: i64,
    pub region: i64,
    pub quantity: i64,
    pub unit_price_cents: i64,
    /// Not recorded for a few, which then had none.
    pub discount_percent: Option<i64>,
    pub revenue_cents: i64,
    /// Not known for a few.
    pub channel: Option<&'static str>,
}

impl Shop {
    /// The shop of this seed.
    pub fn invent(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let customers = customers(&mut random);
        let products = products();
        let mut orders = Vec::new();
        for year in FIRST_YEAR..=LAST_YEAR {
            for month in 1..=12_i8 {
                add_month(&mut orders, &mut random, Date::constant(year, month, 1), &customers, &products);
            }
        }
        Self { customers, products, orders }
    }
}

fn customers(random: &mut Random) -> Vec<Customer> {
    let mut taken = BTreeSet::new();
    let mut customers = Vec::new();
    while customers.len() < CUSTOMERS {
        let name = format!("{} {}", random.pick(&FIRST_NAMES), random.pick(&LAST_NAMES));
        if !taken.insert(name.clone()) {
            continue;
        }
        let region = region(random);
        let (country, city) = *random.pick(REGIONS[region].places);
        let segment = *random.pick(&SEGMENTS);
        let day = i8::try_from(1 + random.below(28)).unwrap_or(1);
        let month = i8::try_from(1 + random.below(12)).unwrap_or(1);
        let year = FIRST_YEAR - 3 + i16::try_from(random.below(3)).unwrap_or(0);
        customers.push(Customer {
            name,
            segment: (!random.percent(4)).then_some(segment),
            city,
            country,
            region: number(region),
            since: Date::constant(year, month, day),
        });
    }
    customers
}

/// A position in [`REGIONS`], by their shares.
fn region(random: &mut Random) -> usize {
    let mut drawn = random.below(REGIONS.iter().map(|region| region.share).sum());
    for (position, region) in REGIONS.iter().enumerate() {
        if drawn < region.share {
            return position;
        }
        drawn -= region.share;
    }
    0
}

fn products() -> Vec<Product> {
    CATEGORIES
        .iter()
        .flat_map(|group| {
            group.products.iter().map(|(name, price_cents)| Product {
                name,
                category: group.category,
                price_cents: *price_cents,
            })
        })
        .collect()
}

/// Adds the orders of the month that begins on this day, by date.
fn add_month(orders: &mut Vec<Order>, random: &mut Random, first: Date, customers: &[Customer], products: &[Product]) {
    let months_before =
        u32::try_from(i32::from(first.year() - FIRST_YEAR) * 12 + i32::from(first.month()) - 1).unwrap_or(0);
    let season = SEASON[usize::try_from(first.month() - 1).unwrap_or(0)];
    // One percent more each month, times the season, with a little noise.
    let count = ORDERS_PER_MONTH * (100 + months_before) * season / 10_000 + random.below(7);
    let mut days: Vec<i8> = (0..count)
        .map(|_| i8::try_from(1 + random.below(u32::try_from(first.days_in_month()).unwrap_or(28))).unwrap_or(1))
        .collect();
    days.sort_unstable();
    for day in days {
        orders.push(order(random, Date::constant(first.year(), first.month(), day), customers, products));
    }
}

fn order(random: &mut Random, date: Date, customers: &[Customer], products: &[Product]) -> Order {
    let buyer = random.low(u32::try_from(customers.len()).unwrap_or(1)) as usize;
    let bought = random.below(u32::try_from(products.len()).unwrap_or(1)) as usize;
    let list_price = products[bought].price_cents;
    // Cheap things are bought by the dozen.
    let quantity = i64::from(
        1 + random.low(if list_price < 1_000 {
            24
        } else if list_price < 10_000 {
            8
        } else {
            3
        }),
    );
    // Prices rise by three percent a year.
    let unit_price_cents = list_price * (100 + 3 * i64::from(date.year() - FIRST_YEAR)) / 100;
    let discount = *random.pick(&[0, 0, 0, 0, 5, 5, 10, 15]);
    let discount_percent = if random.percent(2) { None } else { Some(discount) };
    let channel = if random.percent(62) { CHANNELS[0] } else { *random.pick(&CHANNELS[1..]) };
    Order {
        date,
        customer: number(buyer),
        product: number(bought),
        region: customers[buyer].region,
        quantity,
        unit_price_cents,
        discount_percent,
        revenue_cents: (quantity * unit_price_cents * (100 - discount_percent.unwrap_or(0)) + 50) / 100,
        channel: (!random.percent(1)).then_some(channel),
    }
}

/// The number of the item at a position.
fn number(position: usize) -> i64 {
    i64::try_from(position + 1).unwrap_or(i64::MAX)
}

const FIRST_YEAR: i16 = 2022;
const LAST_YEAR: i16 = 2025;
const CUSTOMERS: usize = 240;

/// Orders of an ordinary month at the start.
const ORDERS_PER_MONTH: u32 = 82;

/// Sales of each month, January first, in percent of an ordinary one.
const SEASON: [u32; 12] = [85, 80, 95, 98, 102, 96, 82, 84, 104, 110, 132, 140];
