import type { SVGProps } from 'react'

/** Decorative icons on a 24-pixel grid. */
const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  dash: 'M6 12h12',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 16v4h16v-4',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  chevron: 'M9 6l6 6-6 6',
  key: 'M8 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 12h9M17.500 12v3.500M21 12v2.500',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.3 15.3L20 20',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 8v4.5l3 2',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  people:
    'M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M3.500 19c.3-3.300 2.500-5 5.500-5s5.200 1.700 5.500 5M16 6.200a2.600 2.600 0 0 1 0 5M17 14.200c2.100.5 3.300 2.200 3.500 4.800',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.1M4 12h.1M4 18h.1',
  gear: 'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6M12 3v3M12 18v3M4.200 7.500l2.600 1.500M17.200 15l2.600 1.500M4.200 16.500L6.800 15M17.200 9l2.600-1.500',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4.500 20c.6-4 3.500-6 7.500-6s6.900 2 7.500 6',
  out: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  retry: 'M19 12a7 7 0 1 1-2-5M19 3v4.500h-4.500',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  share: 'M14 4l6 6-6 6M20 10H10a6 6 0 0 0-6 6v4',
  webhook:
    'M8 9a3 3 0 1 1 5.500 1.500L16 15M12 7.500L8.500 14M7 14a3 3 0 1 0 3 3h6M17 14a3 3 0 1 1-2.500 4.500',
  globe:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M3 12h18M12 3c3 2.500 4 5.500 4 9s-1 6.500-4 9c-3-2.500-4-5.500-4-9s1-6.500 4-9',
  shield: 'M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM8.500 12l2.500 2.500 4.500-5',
} as const

export type IconName = keyof typeof PATHS

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'name'> {
  readonly name: IconName
  readonly size?: number
}

export function Icon({ name, size = 18, ...rest }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className="icon"
      {...rest}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

export function Seal({ size = 30 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false" className="seal">
      <path
        className="seal-disc"
        d="M16 1.5l3.600 2.700 4.500-.3 1.300 4.300 3.800 2.400-1.500 4.200 1.500 4.200-3.800 2.400-1.300 4.300-4.500-.3L16 28.100l-3.600-2.700-4.500.3-1.300-4.300-3.800-2.400 1.500-4.200-1.500-4.200 3.800-2.400 1.300-4.300 4.500.3z"
      />
      <path className="seal-tick" d="M10.500 15.200l3.800 3.800 7.400-8" />
    </svg>
  )
}
