// A plot of means with their intervals: a row for each page, a dot for each program.
import type { Interval } from "./statistics";

interface Point extends Interval {
  readonly arm: string;
}

interface Row {
  readonly label: string;
  readonly points: readonly Point[];
}

const WIDTH = 960;
const LEFT = 170;
const RIGHT = 30;
const TOP = 84;
const LINE = 17;
const GAP = 16;
/** Distinguishable without colours as well, because every line has its program's name. */
const COLOURS = ["#0b7a53", "#c2410c", "#1d4ed8", "#7c3aed", "#a16207", "#be185d", "#475569"];

/** The axis is logarithmic: equal distances are equal ratios. */
export function dots(title: string, unit: string, rows: readonly Row[]): string {
  const points = rows.flatMap((row) => row.points);
  const arms = [...new Set(points.map(({ arm }) => arm))];
  const least = Math.min(...points.map(({ mean, low }) => Math.max(low, mean / 2)));
  const most = Math.max(...points.map(({ mean, high }) => Math.min(high, mean * 2)));
  const [from, to] = [Math.log(least / 1.15), Math.log(most * 1.25)];
  const x = (value: number) => LEFT + ((Math.log(value) - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.reduce((sum, row) => sum + row.points.length * LINE + GAP, 0) + 34;
  const parts: string[] = [];
  for (const tick of ticks(Math.exp(from), Math.exp(to))) {
    parts.push(`<path d="M${x(tick).toFixed(1)} ${TOP - 14}V${height - 34}" stroke="#d8dfdb"/>`);
    parts.push(text(x(tick), height - 14, `${tick} ${unit}`, "middle", "#52615b"));
  }
  let y = TOP;
  for (const row of rows) {
    parts.push(text(0, y + 4, row.label, "start", "#1d2b26", 600));
    for (const { arm, mean, low, high } of row.points) {
      const colour = COLOURS[arms.indexOf(arm) % COLOURS.length] ?? "#000";
      const [left, right] = [x(Math.max(low, Math.exp(from))), x(Math.min(high, Math.exp(to)))];
      parts.push(`<path d="M${left.toFixed(1)} ${y}H${right.toFixed(1)}" stroke="${colour}" stroke-width="2"/>`);
      parts.push(`<circle cx="${x(mean).toFixed(1)}" cy="${y}" r="4.5" fill="${colour}"/>`);
      // The name goes to the side where there is room.
      const beside = x(mean) > WIDTH - 260 ? { at: left - 10, anchor: "end" } : { at: right + 10, anchor: "start" };
      parts.push(text(beside.at, y + 4, `${arm} ${mean < 10 ? mean.toFixed(2) : mean.toFixed(1)}`, beside.anchor, colour));
      y += LINE;
    }
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="12">
${text(0, 20, title, "start", "#1d2b26", 600, 17)}
${text(0, 42, `${unit} on a logarithmic axis; less is better; lines are 95 % intervals`, "start", "#52615b")}
${parts.join("\n")}
</svg>`;
}

/** Round values within the range, more of them the narrower it is. */
function ticks(from: number, to: number): number[] {
  const steps = to / from < 8 ? [1, 1.5, 2, 3, 4, 5, 7] : [1, 2, 5];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power += 1) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(2));
      if (tick >= from && tick <= to) found.push(tick);
    }
  }
  return found;
}

function text(x: number, y: number, content: string, anchor: string, colour: string, weight = 400, size = 12): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}" font-weight="${weight}" font-size="${size}">${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
