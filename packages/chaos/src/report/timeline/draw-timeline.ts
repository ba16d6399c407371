import type { ChaosEvent } from '../../recording/chaos-event.js';
import type { Violation } from '../report-data.js';
import { markup, type Markup } from '../markup.js';
import { duration, linearScale, linearTicks, percent, type Scale } from '../plots/scale.js';
import type { Bar, Lane, LaneGroup, Mark } from './timeline.js';

const AXIS = 38;
const TITLE = 26;
const LANE = 22;
const BAR = 14;
/** Powers of two by which the page stretches a timeline; each has ticks of its own. */
const ZOOMS = [1, 2, 4, 8, 16, 32, 64];
const TICKS = 9;

interface Placed<T> {
  readonly what: T;
  readonly top: number;
}

interface Layout {
  readonly titles: readonly Placed<string>[];
  readonly lanes: readonly Placed<Lane>[];
  readonly height: number;
}

const layOut = (groups: readonly LaneGroup[]): Layout => {
  const titles: Placed<string>[] = [];
  const lanes: Placed<Lane>[] = [];
  let top = AXIS;
  for (const group of groups.filter((each) => each.lanes.length > 0)) {
    titles.push({ what: group.title, top });
    top += TITLE;
    for (const lane of group.lanes) {
      lanes.push({ what: lane, top });
      top += LANE;
    }
  }
  return { titles, lanes, height: top + 8 };
};

const drawBar = (bar: Bar, top: number, scale: Scale, guilty: ReadonlySet<number>): Markup => {
  const x = scale(bar.from);
  const width = Math.max(scale(bar.to) - x, 0.08);
  const look = `bar ${bar.tone}${bar.open === true ? ' open' : ''}${guilty.has(bar.event) ? ' guilty' : ''}`;
  return markup`<svg x="${percent(x)}" y="${top + (LANE - BAR) / 2}" width="${percent(width)}" height="${BAR}">
    <rect class="${look}" width="100%" height="${BAR}" rx="3" data-i="${bar.event}" />
    ${bar.label !== undefined && markup`<text class="in-bar" x="5" y="10.5">${bar.label}</text>`}
  </svg>`;
};

const drawMark = (mark: Mark, top: number, scale: Scale, guilty: ReadonlySet<number>): Markup =>
  markup`<use
    href="#mark-${mark.shape}"
    class="mark ${mark.tone}${guilty.has(mark.event) && ' guilty'}"
    x="${percent(scale(mark.at))}"
    y="${top}"
    data-i="${mark.event}"
  />`;

const drawTicks = (from: number, to: number, scale: Scale, height: number): Markup[] =>
  ZOOMS.map((zoom) => {
    const ticks = linearTicks(from, to, TICKS * zoom);
    return markup`<g class="ticks zoom-${zoom}"
      >${ticks.map(
        (tick) =>
          markup`<line class="grid" x1="${percent(scale(tick))}" x2="${percent(scale(tick))}" y1="${AXIS}" y2="${height}" /><text
              class="tick"
              x="${percent(scale(tick))}"
              y="18"
              >${duration(tick)}</text
            >`,
      )}</g
    >`;
  });

const drawPhase = (at: number, what: string, scale: Scale, height: number): Markup => {
  const x = scale(at);
  const late = x > 94;
  return markup`<line class="phase" x1="${percent(x)}" x2="${percent(x)}" y1="${AXIS - 10}" y2="${height}" />
    <text class="phase ${late && 'late'}" x="${percent(x)}" dx="${late ? -3 : 3}" y="${AXIS}">${what}</text>`;
};

const drawViolation = (violation: Violation, number: number, scale: Scale, height: number): Markup => {
  const x = percent(scale(violation.at));
  return markup`<g class="violation"
    ><line x1="${x}" x2="${x}" y1="14" y2="${height}" /><circle cx="${x}" cy="10" r="8" /><text x="${x}" y="13.5">${number}</text
    ><title>${violation.promise}: ${violation.text}</title></g
  >`;
};

/** Shapes of marks, once for a page. */
export const MARK_SHAPES: Markup = markup`<svg width="0" height="0" class="shapes" aria-hidden="true">
  <defs>
    <circle id="mark-dot" r="3.2" />
    <path id="mark-up" d="M0,-8 L2.6,-2 L-2.6,-2 Z" />
    <path id="mark-down" d="M0,8 L2.6,2 L-2.6,2 Z" />
    <path id="mark-cross" d="M-3.6,-3.6 L3.6,3.6 M3.6,-3.6 L-3.6,3.6" />
    <path id="mark-diamond" d="M0,-4.6 L4.6,0 L0,4.6 L-4.6,0 Z" />
  </defs>
</svg>`;

/** The picture of a recording: names of the lanes, and beside them what can be stretched and scrolled. */
export function drawTimeline(groups: readonly LaneGroup[], events: readonly ChaosEvent[], violations: readonly Violation[]): Markup {
  const from = events[0]?.at ?? 0;
  const to = Math.max(events.at(-1)?.at ?? 1, from + 1);
  const scale = linearScale(from, to);
  const { titles, lanes, height } = layOut(groups);
  const guilty = new Set(violations.flatMap((violation) => violation.events));
  return markup`<div class="chart">
    <svg class="names" width="170" height="${height}" aria-hidden="true">
      ${titles.map(({ what, top }) => markup`<text class="group" x="0" y="${top + 18}">${what}</text>`)}
      ${lanes.map(({ what, top }) => markup`<text class="lane" x="162" y="${top + 15}">${what.name.length > 24 ? `…${what.name.slice(-23)}` : what.name}<title>${what.name}</title></text>`)}
    </svg>
    <div class="scroll" tabindex="0" role="img" aria-label="What happened in ${duration(to - from)}: the list below says it in words">
      <svg class="plane" width="100%" height="${height}">
        ${drawTicks(from, to, scale, height)}
        ${titles.map(({ top }) => markup`<line class="divider" x1="0" x2="100%" y1="${top + 3}" y2="${top + 3}" />`)}
        ${lanes.map(({ what, top }) => markup`<g>${what.bars.map((bar) => drawBar(bar, top, scale, guilty))}${what.marks.map((mark) => drawMark(mark, top + LANE / 2 + (what.marksBelow === true ? 7 : 0), scale, guilty))}</g>`)}
        ${events.map((event) => event.kind === 'phase' && drawPhase(event.at, event.what, scale, height))} ${violations.map((violation, at) => drawViolation(violation, at + 1, scale, height))}
        <line class="cursor" x1="-1%" x2="-1%" y1="${AXIS}" y2="${height}" />
      </svg>
    </div>
  </div>`;
}
