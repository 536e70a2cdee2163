// A chart of a result, drawn in the page's own colours at the width there is: a pointer, a finger or the arrow keys read
// its figures. What is drawn is decided by the server, which also makes the pictures that are saved. Next: result.js.

import { areFine, counted, number, percent, short } from "./format.js";
import { announce, html, names, useEffect, useRef, useState } from "./ui.js";

/** The chart of a fact: `chart` as the API describes it. */
export function Chart({ chart, label }) {
  const holder = useRef(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState(-1);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(holder.current);
    return () => watch.disconnect();
  }, []);
  const count = chart.points.length || chart.labels.length;
  const read = (next) => { setAt(next); announce(told(chart, next)); };
  const keys = (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape" && at >= 0) { event.stopPropagation(); setAt(-1); return; }
    const next = { Home: 0, End: count - 1 }[event.key] ?? (event.key in steps ? Math.min(Math.max(at + steps[event.key], 0), count - 1) : null);
    if (next !== null) { event.preventDefault(); read(next); }
  };
  const Drawn = DRAWN[chart.kind] ?? Bars;
  return html`<figure class="chart" ref=${holder}>
    <div class="frame" tabindex="0" role="group" aria-label=${`Chart of ${label}; the arrow keys read its values`} onKeyDown=${keys}
      onPointerLeave=${() => setAt(-1)} onBlur=${() => setAt(-1)}>
      ${width > 0 && html`<${Drawn} ...${{ chart, width, at, setAt }} />`}
    </div>
    ${chart.series.length > 1 && chart.kind !== "stacked bar" && html`<${Legend} chart=${chart} />`}
    ${chart.notes.length > 0 && html`<figcaption class="dim">${chart.notes.join(" ")}</figcaption>`}
  </figure>`;
}

function Legend({ chart }) {
  return html`<ul class="legend">${chart.series.map((one, index) => html`<li key=${one.name}><i class=${`dot c${index % COLOURS}`}></i>${one.name}</li>`)}</ul>`;
}

/** What stands at place `at`, in words. */
function told(chart, at) {
  if (chart.points.length) {
    const point = chart.points[at];
    return `${point.label}: ${chart.along.title} ${number(point.x)}, ${chart.figures.title} ${number(point.y)}`;
  }
  const figures = chart.series.filter((one) => one.values[at] !== null).map((one) => `${one.name ? `${one.name} ` : ""}${figure(chart, one.values[at])}`);
  return `${chart.labels[at]}: ${figures.join(", ") || "nothing"}`;
}

const figure = (chart, value) => (chart.figures.unit === "percent" ? percent(value) : number(value, areFine(chart.series.flatMap((one) => one.values))));
const tick = (chart, value) => (chart.figures.unit === "percent" ? percent(value, 0) : short(value));

/** What a pointer reads, beside it. */
function Tip({ x, width, y = 8, head, lines }) {
  const isRight = x > width * 0.6;
  return html`<div class="tip" style=${{ left: isRight ? "auto" : `${x + 12}px`, right: isRight ? `${width - x + 12}px` : "auto", top: `${y}px` }}>
    <strong>${head}</strong>
    ${lines.map(([colour, name, value]) => html`<span key=${name}>${colour !== null && html`<i class=${`dot c${colour % COLOURS}`}></i>`}${name} <b>${value}</b></span>`)}
  </div>`;
}

const tipOf = (chart, at) => chart.series.map((one, index) => [one, index]).filter(([one]) => one.values[at] !== null)
  .map(([one, index]) => [chart.series.length > 1 ? index : null, one.name || chart.figures.title, figure(chart, one.values[at])]);

// ── points in order, joined ─────────────────────────────────────────────────────────────────────────────────────────

function Line({ chart, width, at, setAt }) {
  const height = Math.min(300, Math.max(200, width * 0.42));
  const values = chart.series.flatMap((one) => one.values).filter((value) => value !== null);
  const scale = scaled(values, { zero: Math.min(...values) >= 0 && Math.min(...values) < Math.max(...values) * 0.6 });
  const left = 12 + Math.max(...scale.ticks.map((one) => tick(chart, one).length)) * 7;
  const [right, top, bottom] = [14, 12, 30];
  const count = chart.labels.length;
  const x = (index) => left + (count > 1 ? (index / (count - 1)) * (width - left - right) : (width - left - right) / 2);
  const y = (value) => top + (1 - (value - scale.low) / (scale.high - scale.low)) * (height - top - bottom);
  const every = Math.ceil(count / Math.max(2, Math.floor((width - left) / 84)));
  const nearest = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(Math.max(Math.round(((event.clientX - box.left - left) / (width - left - right)) * (count - 1)), 0), count - 1));
  };
  return html`<svg role="img" aria-label=${chart.described} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} onPointerMove=${nearest} onPointerDown=${nearest}>
    ${scale.ticks.map((one) => html`<g key=${one}><line class="grid" x1=${left} x2=${width - right} y1=${y(one)} y2=${y(one)} />
      <text class="tick" x=${left - 8} y=${y(one) + 4} text-anchor="end">${tick(chart, one)}</text></g>`)}
    ${chart.labels.map((label, index) => index % every === 0 && (index === 0 || width - x(index) > 24) && html`<text key=${index} class="tick" x=${x(index)} y=${height - 8}
      text-anchor=${index === 0 && count > 1 ? "start" : "middle"}>${label}</text>`)}
    ${chart.series.map((one, index) => html`<g key=${one.name} class=${`series c${index % COLOURS}`}>
      ${stretches(one.values).map((stretch) => html`<path class="line" d=${stretch.map(([place, value], step) => `${step ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("")} />
        ${stretch.length === 1 && html`<circle class="mark" cx=${x(stretch[0][0])} cy=${y(stretch[0][1])} r="3.5" />`}`)}
      ${at >= 0 && one.values[at] !== null && html`<circle class="mark" cx=${x(at)} cy=${y(one.values[at])} r="4.5" />`}
    </g>`)}
    ${at >= 0 && html`<line class="cross" x1=${x(at)} x2=${x(at)} y1=${top} y2=${height - bottom} />`}
  </svg>
  ${at >= 0 && html`<${Tip} x=${x(at)} width=${width} head=${chart.labels[at]} lines=${tipOf(chart, at)} />`}`;
}

/** The values of a series between its gaps, each with its place. */
function stretches(values) {
  const found = [[]];
  values.forEach((value, place) => { if (value === null) found.push([]); else found.at(-1).push([place, value]); });
  return found.filter((stretch) => stretch.length);
}

// ── a bar a row ─────────────────────────────────────────────────────────────────────────────────────────────────────

function Bars({ chart, width, at, setAt }) {
  const values = chart.series.flatMap((one) => one.values).filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const longest = Math.max(...chart.labels.map((label) => label.length));
  const left = Math.min(Math.max(longest * 7.2 + 10, 40), width * 0.38);
  const room = Math.max(...values.map((value) => figure(chart, value).length)) * 7.4 + 12;
  const x = (value) => left + ((value - low) / (high - low || 1)) * (width - left - room);
  const many = chart.series.length;
  const bar = many > 1 ? 13 : 20;
  const row = bar * many + 10;
  const height = chart.labels.length * row + 4;
  const letters = Math.floor((left - 8) / 7);
  return html`<svg role="img" aria-label=${chart.described} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
    ${chart.labels.map((label, place) => html`<g key=${place} class=${names("bar-row", at === place && "is-read")} onPointerEnter=${() => setAt(place)} onPointerDown=${() => setAt(place)}>
      <rect class="back" x="0" y=${place * row} width=${width} height=${row} />
      <text class="name" x=${left - 8} y=${place * row + row / 2 + 4} text-anchor="end">${label.length > letters ? `${label.slice(0, letters - 1)}…` : label}</text>
      ${chart.series.map((one, index) => one.values[place] !== null && html`<g key=${one.name} class=${`series c${index % COLOURS}`}>
        <rect class="fill" x=${Math.min(x(0), x(one.values[place]))} y=${place * row + 5 + index * bar} width=${Math.max(Math.abs(x(one.values[place]) - x(0)), 1)} height=${bar - (many > 1 ? 2 : 0)} rx="3" />
        <text class="figure" x=${Math.max(x(0), x(one.values[place])) + 6} y=${place * row + 5 + index * bar + bar / 2 + 4}>${figure(chart, one.values[place])}</text>
      </g>`)}
    </g>`)}
  </svg>
  ${at >= 0 && chart.labels[at].length > letters && html`<${Tip} x=${left} y=${at * row + row} width=${width} head=${chart.labels[at]} lines=${tipOf(chart, at)} />`}`;
}

// ── parts of a whole ────────────────────────────────────────────────────────────────────────────────────────────────

function Stacked({ chart, width, at, setAt }) {
  const isOne = chart.labels.length === 1;
  const rows = chart.labels.map((label, place) => {
    let from = 0;
    const parts = chart.series.map((one, index) => {
      const value = Math.max(one.values[place] ?? 0, 0);
      const part = { name: one.name, index, value, from };
      from += value;
      return part;
    });
    return { label, parts, whole: from || 1 };
  });
  const most = Math.max(...rows.map((row) => row.whole));
  const left = isOne ? 0 : Math.min(Math.max(...chart.labels.map((label) => label.length)) * 7 + 10, width * 0.35);
  const bar = isOne ? 34 : 20;
  const x = (value) => left + (value / most) * (width - left);
  return html`<svg role="img" aria-label=${chart.described} width=${width} height=${rows.length * (bar + 10)} viewBox=${`0 0 ${width} ${rows.length * (bar + 10)}`}>
    ${rows.map((row, place) => html`<g key=${place} onPointerEnter=${() => setAt(place)} onPointerDown=${() => setAt(place)}>
      ${!isOne && html`<text class="name" x=${left - 8} y=${place * (bar + 10) + bar / 2 + 9} text-anchor="end">${row.label}</text>`}
      ${row.parts.map((part) => html`<rect key=${part.name} class=${`fill series c${part.index % COLOURS}`} x=${x(part.from)} y=${place * (bar + 10) + 5} width=${Math.max(x(part.from + part.value) - x(part.from) - 1.5, 0)} height=${bar} rx="2"><title>${part.name}: ${figure(chart, part.value)}</title></rect>`)}
    </g>`)}
  </svg>
  <ul class="legend">${chart.series.map((one, index) => html`<li key=${one.name}><i class=${`dot c${index % COLOURS}`}></i>${one.name}${isOne && html` <b>${figure(chart, one.values[0] ?? 0)}</b>`}</li>`)}</ul>
  ${at >= 0 && !isOne && html`<${Tip} x=${left} y=${(at + 1) * (bar + 10)} width=${width} head=${chart.labels[at]} lines=${tipOf(chart, at)} />`}`;
}

// ── two figures against each other ──────────────────────────────────────────────────────────────────────────────────

function Scatter({ chart, width, at, setAt }) {
  const height = Math.min(340, Math.max(220, width * 0.5));
  const across = scaled(chart.points.map((point) => point.x));
  const up = scaled(chart.points.map((point) => point.y));
  const left = 12 + Math.max(...up.ticks.map((one) => short(one).length)) * 7;
  const [right, top, bottom] = [16, 24, 40];
  const x = (value) => left + ((value - across.low) / (across.high - across.low)) * (width - left - right);
  const y = (value) => top + (1 - (value - up.low) / (up.high - up.low)) * (height - top - bottom);
  const some = across.ticks.filter((_, index) => index % Math.ceil(across.ticks.length / Math.max(2, Math.floor((width - left) / 80))) === 0);
  return html`<svg role="img" aria-label=${chart.described} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
    ${up.ticks.map((one) => html`<g key=${one}><line class="grid" x1=${left} x2=${width - right} y1=${y(one)} y2=${y(one)} /><text class="tick" x=${left - 8} y=${y(one) + 4} text-anchor="end">${short(one)}</text></g>`)}
    ${some.map((one) => html`<text key=${one} class="tick" x=${x(one)} y=${height - 22} text-anchor="middle">${short(one)}</text>`)}
    <text class="axis" x=${left} y="14">${chart.figures.title}</text>
    <text class="axis" x=${width - right} y=${height - 5} text-anchor="end">${chart.along.title}</text>
    <g class="series c0">${chart.points.map((point, place) => html`<circle key=${place} class=${names("mark", at === place && "is-read")} cx=${x(point.x)} cy=${y(point.y)} r=${at === place ? 7 : 5}
      onPointerEnter=${() => setAt(place)} onPointerDown=${() => setAt(place)} />`)}</g>
  </svg>
  ${at >= 0 && html`<${Tip} x=${x(chart.points[at].x)} y=${y(chart.points[at].y)} width=${width} head=${chart.points[at].label}
    lines=${[[null, chart.along.title, number(chart.points[at].x)], [null, chart.figures.title, number(chart.points[at].y)]]} />`}`;
}

/** Round steps around `values`. */
function scaled(values, { zero = false } = {}) {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (zero) low = Math.min(low, 0);
  if (low === high) { low -= Math.abs(low) / 2 || 1; high += Math.abs(high) / 2 || 1; }
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const first = Math.floor(low / step) * step;
  const ticks = [];
  for (let at = first; at <= high + step * 0.999; at += step) ticks.push(Number(at.toPrecision(12)));
  return { low: ticks[0], high: ticks.at(-1), ticks };
}

/** What a chart is called in one line. */
export const kindOf = (chart) => `${chart.kind}, ${counted(chart.points.length || chart.labels.length, "value")}`;

const DRAWN = { "line chart": Line, "bar chart": Bars, "stacked bar": Stacked, "scatter plot": Scatter };
const COLOURS = 8;
