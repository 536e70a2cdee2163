//! A scene as SVG: text stays text, every mark says what it stands for, and colours follow the viewer's choice of light
//! or dark unless one is asked for. Written here because no drawing library keeps those three. Next: `picture`.

use std::fmt::Write as _;

use turnwise_core::Ground;

use super::scene::{AREA_OPACITY, Anchor, Label, Paint, Scene, Shape, lay_out};
use super::{Chart, parts};

/// The colours on one ground.
pub(super) struct Theme {
    pub(super) ground: &'static str,
    pub(super) ink: &'static str,
    pub(super) muted: &'static str,
    pub(super) grid: &'static str,
    pub(super) series: [&'static str; parts::COLOURS],
}

/// Dark marks on light: every colour has at least 3 : 1 against the ground (WCAG 2.2, 1.4.11).
pub(super) const LIGHT: Theme = Theme {
    ground: "#ffffff",
    ink: "#1f2328",
    muted: "#59636e",
    grid: "#dfe3e8",
    series: ["#0969da", "#bc4c00", "#1a7f37", "#bf3989", "#8250df", "#8a6500", "#0b7285", "#6e7781"],
};

/// Light marks on dark.
pub(super) const DARK: Theme = Theme {
    ground: "#0d1117",
    ink: "#e6edf3",
    muted: "#9198a1",
    grid: "#2b313a",
    series: ["#58a6ff", "#f0883e", "#56d364", "#f778ba", "#bc8cff", "#e3b341", "#39c5cf", "#8b949e"],
};

/// The chart as an SVG document.
pub(super) fn svg(chart: &Chart, ground: Ground) -> String {
    let scene = lay_out(chart);
    let (width, height) = (scene.width, scene.height.ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-labelledby=\"title desc\" font-family=\"Roboto, 'Helvetica Neue', Arial, sans-serif\">\n"
    );
    line(&mut out, &format!("<title id=\"title\">{}</title>", escaped(&scene.title)));
    line(&mut out, &format!("<desc id=\"desc\">{}</desc>", escaped(&scene.described)));
    line(&mut out, &format!("<style>{}</style>", style(ground)));
    line(&mut out, "<rect class=\"b\" width=\"100%\" height=\"100%\"/>");
    for shape in &scene.shapes {
        line(&mut out, &element(shape));
    }
    out.push_str("</svg>\n");
    debug_assert!(is_whole(&scene));
    out
}

/// Whether everything has a place: a figure that is none would be a document no viewer opens.
fn is_whole(scene: &Scene) -> bool {
    scene.shapes.iter().all(|shape| match shape {
        Shape::Rect { x, y, width, height, .. } => [x, y, width, height].into_iter().all(|place| place.is_finite()),
        Shape::Line { points, .. } | Shape::Area { points, .. } => {
            points.iter().all(|(x, y)| x.is_finite() && y.is_finite())
        }
        Shape::Dot { x, y, .. } => x.is_finite() && y.is_finite(),
        Shape::Text(label) => label.x.is_finite() && label.y.is_finite(),
    })
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn style(ground: Ground) -> String {
    match ground {
        Ground::Light => rules(&LIGHT),
        Ground::Dark => rules(&DARK),
        Ground::AsViewed => {
            format!("{} @media (prefers-color-scheme: dark) {{{}}}", rules(&LIGHT), rules(&DARK))
        }
    }
}

fn rules(theme: &Theme) -> String {
    let mut rules = format!(
        ".b,.fb{{fill:{}}}.ft{{fill:{}}}.fm{{fill:{}}}.lt{{stroke:{}}}.lm{{stroke:{}}}.lg{{stroke:{}}}",
        theme.ground, theme.ink, theme.muted, theme.ink, theme.muted, theme.grid
    );
    for (at, colour) in theme.series.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(rules, ".f{at}{{fill:{colour}}}.l{at}{{stroke:{colour}}}");
    }
    rules
}

fn class(paint: Paint) -> String {
    match paint {
        Paint::Ink => "t".to_owned(),
        Paint::Muted => "m".to_owned(),
        Paint::Grid => "g".to_owned(),
        Paint::Ground => "b".to_owned(),
        Paint::Series(at) => at.to_string(),
    }
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rect { x, y, width, height, paint, told } => closed(
            &format!(
                "<rect class=\"f{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\"",
                class(*paint)
            ),
            "rect",
            told.as_deref(),
        ),
        Shape::Dot { x, y, radius, paint, told } => closed(
            &format!("<circle class=\"f{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"", class(*paint)),
            "circle",
            told.as_deref(),
        ),
        Shape::Line { points, width, paint } => format!(
            "<polyline class=\"l{}\" fill=\"none\" stroke-width=\"{width}\" stroke-linejoin=\"round\" \
             points=\"{}\"/>",
            class(*paint),
            places(points)
        ),
        Shape::Area { points, paint } => format!(
            "<polygon class=\"f{}\" fill-opacity=\"{AREA_OPACITY}\" points=\"{}\"/>",
            class(*paint),
            places(points)
        ),
        Shape::Text(label) => text(label),
    }
}

fn places(points: &[(f64, f64)]) -> String {
    let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    places.join(" ")
}

fn closed(open: &str, name: &str, told: Option<&str>) -> String {
    match told {
        Some(told) => format!("{open}><title>{}</title></{name}>", escaped(told)),
        None => format!("{open}/>"),
    }
}

fn text(label: &Label) -> String {
    let anchor = match label.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let Label { x, y, size, paint, text, .. } = label;
    format!(
        "<text class=\"f{}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>",
        class(*paint),
        escaped(text)
    )
}

/// Text that is text in XML, whatever it holds: data may hold anything.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // Marks that change direction could make a label read as another; other controls are no XML.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => out.push('�'),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('�'),
            letter => out.push(letter),
        }
    }
    out
}
