import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** One row of values, drawn in one colour. */
export interface PlotSeries {
  readonly label: string;
  readonly values: readonly number[];
}

/** What is drawn: bars over named places, each series stacked upon the one before. */
export interface PlotData {
  /** What stands below: one for each value. */
  readonly names: readonly string[];
  readonly series: readonly PlotSeries[];
  /** How a value is written. */
  readonly show: (value: number) => string;
  /** The values count something: there is no line at a half. */
  readonly isCount?: boolean;
}

/** Told apart by lightness as well as by hue. */
const COLOURS = ['--cl-accent', '--cl-good', '--cl-warn', '--cl-ask', '--cl-bad', '--cl-text-faint'] as const;
/** 1, 2, 5, 10 … : how far the lines of counts may be apart. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const HEIGHT = 200;
/** Room for a name below, in CSS pixels. */
const NAME_WIDTH = 64;

/** The colour of the n-th series; the last one stands for all that follow. */
export const colourOf = (index: number): string => COLOURS[Math.min(index, COLOURS.length - 1)]!;

/** Series that have a colour of their own. */
export const MAX_SERIES = COLOURS.length;

/** A drawing beside a table with the same numbers: screen readers have the table. */
export function BarPlot({ label, data }: { label: string; data: PlotData }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = frame.current;
    if (target === null || data.names.length === 0) return;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(toOptions(data, target), toStacks(data), target);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: target.clientWidth, height: HEIGHT }));
    resized.observe(target);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    addEventListener('codelab:theme', draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      removeEventListener('codelab:theme', draw);
      plot?.destroy();
    };
  }, [data]);
  return (
    <figure className="co-plot">
      <figcaption>
        <strong>{label}</strong>
        {data.series.length > 1 && (
          <span className="co-legend">
            {data.series.map((each, index) => (
              <span key={each.label}>
                <svg width="10" height="10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" fill={`var(${colourOf(index)})`} />
                </svg>
                {each.label}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div ref={frame} className="co-plot-frame" role="img" aria-label={`${label}: the table below has the numbers.`} />
    </figure>
  );
}

function toOptions({ names, series, show, isCount = false }: PlotData, target: HTMLElement): uPlot.Options {
  const colour = (name: string): string => colourIn(target, name);
  const font = `11px ${getComputedStyle(target).fontFamily}`;
  const axis: uPlot.Axis = { stroke: colour('--cl-text-faint'), font, ticks: { show: false }, grid: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.62, 48], radius: 0.12 });
  const top = [...series.keys()].reverse(); // the highest sum is drawn first, the others before it
  return {
    width: target.clientWidth,
    height: HEIGHT,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.5, names.length - 0.5] }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      {
        ...axis,
        splits: () => [...names.keys()].filter((index) => index % everyNth(names.length, target.clientWidth) === 0),
        values: (_, splits) => splits.map((index) => names[index] ?? ''),
      },
      {
        ...axis,
        size: 58,
        incrs: isCount ? WHOLE_STEPS : undefined,
        values: (_, splits) => splits.map(show),
        grid: { show: true, stroke: colour('--cl-line-colour'), width: 1 },
      },
    ],
    series: [{}, ...top.map((index): uPlot.Series => ({ fill: colour(colourOf(index)), width: 0, points: { show: false }, paths: bars }))],
  };
}

/** What a colour of the theme is just now: an element that wears it knows, the property doesn't. */
function colourIn(target: HTMLElement, name: string): string {
  const wearer = target.appendChild(document.createElement('span'));
  wearer.style.color = `var(${name})`;
  const { color } = getComputedStyle(wearer);
  wearer.remove();
  return color;
}

/** Names that would run into each other are left out. */
const everyNth = (count: number, width: number): number => Math.max(1, Math.ceil((count * NAME_WIDTH) / Math.max(1, width)));

/** Sums of a series and those below it, the highest first. */
function toStacks({ names, series }: PlotData): uPlot.AlignedData {
  const sums = names.map(() => 0);
  const stacks = series.map(({ values }) => {
    values.forEach((value, index) => (sums[index] = (sums[index] ?? 0) + value));
    return [...sums];
  });
  return [[...names.keys()], ...stacks.reverse()];
}
