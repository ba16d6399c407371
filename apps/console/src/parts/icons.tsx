/** Line drawings on a grid of 16 by 16, one path each. */
const PATHS = {
  sessions: 'M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z',
  approvals: 'M8 1.8l5 1.9v4c0 3.2-2.2 5.3-5 6.5-2.8-1.2-5-3.3-5-6.5v-4zM5.8 8l1.6 1.6 2.9-3.1',
  tools: 'M9.8 2.3a3.4 3.4 0 0 0-3.6 4.6l-4 4 1.9 1.9 4-4a3.4 3.4 0 0 0 4.6-3.6L10.600 7.200 8.800 5.400z',
  rules: 'M3 3.500h10M3 8h6M3 12.500h4M10.500 11.500l1.500 1.500 2.500-3',
  audit: 'M4 2h6l2.500 2.500V14H4zM6.200 7h4M6.200 9.500h4M6.200 12h2.500',
  calls: 'M2.500 4.500l3 3-3 3M7.500 11.500h6',
  usage: 'M2.500 13.500v-4M6.200 13.500v-8M9.900 13.500v-5.500M13.500 13.500V3',
  health: 'M1.500 8.500h3l2-5 3 9 2-4h3',
  settings: 'M2.500 4.500h6M12 4.500h1.500M2.500 11.500h2M8 11.500h5.500M10.200 2.800v3.400M6.200 9.800v3.400',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  back: 'M9.500 3.500L5 8l4.500 4.500',
  next: 'M6.500 3.500L11 8l-4.500 4.500',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.200 3.200',
  leave: 'M6.500 2.500h-4v11h4M10 5l3 3-3 3M13 8H6',
  sun: 'M8 10.700a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400zM8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  moon: 'M13.200 9.600A5.600 5.600 0 0 1 6.400 2.800a5.600 5.600 0 1 0 6.800 6.800z',
  system: 'M2 3h12v8H2zM6 13.500h4',
  add: 'M8 3v10M3 8h10',
  remove: 'M3 4.500h10M6.500 4.500V2.800h3v1.700M4.300 4.500l.6 8.700h6.200l.6-8.700',
  refresh: 'M13 8a5 5 0 1 1-1.600-3.700M13 2.300v2.500h-2.500',
  laptop: 'M3.500 3.500h9v6.500h-9zM1.500 12.500h13',
} as const;

/** What can be drawn. */
export type IconName = keyof typeof PATHS;

/** A drawing beside a word; nothing to screen readers, which have the word. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="co-icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
