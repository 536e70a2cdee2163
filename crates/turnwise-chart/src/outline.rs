//! What is known of a drawing before it is drawn: a page that keeps its place free does not jump when the picture
//! comes, and whoever cannot see it is told what it shows. Next: `scene`.

use super::Chart;
use super::scene::lay_out;

/// A chart as it will be drawn, without its marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Its width in pixels.
    pub width: f64,
    /// Its height in pixels.
    pub height: f64,
    /// What it shows, in words.
    pub told: String,
}

impl Chart {
    /// Its size and what it shows.
    #[must_use]
    pub fn outline(&self) -> Outline {
        let scene = lay_out(self);
        Outline { width: scene.width, height: scene.height.ceil(), told: scene.described }
    }
}
