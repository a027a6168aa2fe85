import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const navy: MantineColorsTuple = [
  '#eef3fa',
  '#dbe6f4',
  '#b6cce8',
  '#8db8f2',
  '#5f92d6',
  '#3d75bf',
  '#2a60a6',
  '#1f4f8f',
  '#183f73',
  '#112e55',
]

/** Mantine's dark greys, with a blue tint. */
const dark: MantineColorsTuple = [
  '#e7ebf0',
  '#c3cbd6',
  '#a3aebb',
  '#7d8998',
  '#465261',
  '#3a4552',
  '#222a35',
  '#1b212a',
  '#161b22',
  '#12161c',
]

export const theme = createTheme({
  primaryColor: 'navy',
  primaryShade: { light: 7, dark: 6 },
  colors: { navy, dark },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'inherit', fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // Fields side by side are aligned, whatever their hints.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
})

/** Mantine's colours are those of every page. */
const COLORS = {
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--quiet)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--fail)',
  '--mantine-color-placeholder': 'var(--quiet)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--soft)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--field)',
} as const

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: COLORS, dark: COLORS })
