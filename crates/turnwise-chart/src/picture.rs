//! A scene as PNG, drawn with the compiled-in letters: the same picture on every machine, with no font installed.
//! Next: `keep`.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint as Brush, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};
use ttf_parser::OutlineBuilder;
use turnwise_core::Ground;

use super::scene::{AREA_OPACITY, Anchor, Label, Paint, Scene, Shape, lay_out};
use super::svg::{DARK, LIGHT, Theme};
use super::{Chart, font};

/// The chart as PNG, and how many of its letters the font lacks (they show as boxes).
///
/// # Errors
/// In words, when the picture cannot be made.
pub(super) fn png(chart: &Chart, ground: Ground) -> Result<(Vec<u8>, usize), String> {
    let scene = lay_out(chart);
    let theme = if ground == Ground::Dark { &DARK } else { &LIGHT };
    let pixels = |length: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded before")]
        let pixels = (length * SCALE).ceil().clamp(1.0, PIXELS_MAX) as u32;
        pixels
    };
    let (width, height) = (pixels(scene.width), pixels(scene.height));
    let map = Pixmap::new(width, height).ok_or_else(|| format!("{width} × {height} pixels cannot be held"))?;
    let mut canvas = Canvas { map, theme, missing: 0 };
    canvas.map.fill(colour(theme.ground));
    canvas.scene(&scene);
    let bytes = canvas.map.encode_png().map_err(|error| error.to_string())?;
    Ok((bytes, canvas.missing))
}

struct Canvas<'a> {
    map: Pixmap,
    theme: &'a Theme,
    missing: usize,
}

impl Canvas<'_> {
    fn scene(&mut self, scene: &Scene) {
        for shape in &scene.shapes {
            match shape {
                Shape::Rect { x, y, width, height, paint, .. } => {
                    let rect = Rect::from_xywh(small(*x), small(*y), small(*width), small(*height));
                    self.fill(rect.map(PathBuilder::from_rect), *paint);
                }
                Shape::Dot { x, y, radius, paint, .. } => {
                    self.fill(PathBuilder::from_circle(small(*x), small(*y), small(*radius)), *paint);
                }
                Shape::Line { points, width, paint } => self.line(points, *width, *paint),
                Shape::Area { points, paint } => self.area(points, *paint),
                Shape::Text(label) => self.text(label),
            }
        }
    }

    fn fill(&mut self, path: Option<Path>, paint: Paint) {
        let brush = self.brush(paint);
        if let Some(path) = path {
            self.map.fill_path(&path, &brush, FillRule::Winding, scaled(), None);
        }
    }

    fn area(&mut self, points: &[(f64, f64)], paint: Paint) {
        let mut builder = through(points);
        builder.close();
        let mut brush = self.brush(paint);
        brush.shader.apply_opacity(small(AREA_OPACITY));
        if let Some(path) = builder.finish() {
            self.map.fill_path(&path, &brush, FillRule::Winding, scaled(), None);
        }
    }

    fn line(&mut self, points: &[(f64, f64)], width: f64, paint: Paint) {
        let builder = through(points);
        let stroke =
            Stroke { width: small(width), line_cap: LineCap::Butt, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(path) = builder.finish() {
            self.map.stroke_path(&path, &self.brush(paint), &stroke, scaled(), None);
        }
    }

    fn text(&mut self, label: &Label) {
        let width = font::width(&label.text, label.size);
        let mut x = match label.anchor {
            Anchor::Start => label.x,
            Anchor::Middle => label.x - width / 2.0,
            Anchor::End => label.x - width,
        };
        for letter in label.text.chars() {
            let mut outline = Outline(PathBuilder::new());
            let (em, known) = font::trace(letter, &mut outline);
            self.missing += usize::from(!known && !letter.is_whitespace());
            if let Some(path) = outline.0.finish() {
                let size = small(label.size / em * SCALE);
                // Letters stand upwards in a font and downwards on a screen.
                let place = Transform::from_row(size, 0.0, 0.0, -size, small(x * SCALE), small(label.y * SCALE));
                self.map.fill_path(&path, &self.brush(label.paint), FillRule::Winding, place, None);
            }
            x += font::advance(letter, label.size);
        }
    }

    fn brush(&self, paint: Paint) -> Brush<'static> {
        let name = match paint {
            Paint::Ink => self.theme.ink,
            Paint::Muted => self.theme.muted,
            Paint::Grid => self.theme.grid,
            Paint::Ground => self.theme.ground,
            Paint::Series(at) => self.theme.series[at % self.theme.series.len()],
        };
        let mut brush = Brush::default();
        brush.set_color(colour(name));
        brush.anti_alias = true;
        brush
    }
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

fn through(points: &[(f64, f64)]) -> PathBuilder {
    let mut builder = PathBuilder::new();
    for (at, (x, y)) in points.iter().enumerate() {
        if at == 0 { builder.move_to(small(*x), small(*y)) } else { builder.line_to(small(*x), small(*y)) }
    }
    builder
}

fn scaled() -> Transform {
    Transform::from_scale(small(SCALE), small(SCALE))
}

#[expect(clippy::cast_possible_truncation, reason = "places on a picture of a few thousand pixels")]
fn small(value: f64) -> f32 {
    value as f32
}

/// `#rrggbb`.
fn colour(name: &str) -> Color {
    let part = |at: usize| name.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or_default();
    Color::from_rgba8(part(1), part(3), part(5), 255)
}

/// Pixels for one unit of a scene: sharp on today's screens.
const SCALE: f64 = 2.0;
/// Most pixels either way.
const PIXELS_MAX: f64 = 16_000.0;
