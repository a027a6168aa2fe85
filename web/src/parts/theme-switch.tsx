import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { texts } from '../texts/index.ts'
import { Icon, type IconName } from './icons.tsx'

const NEXT: Readonly<Record<MantineColorScheme, MantineColorScheme>> = {
  auto: 'light',
  light: 'dark',
  dark: 'auto',
}
const ICONS: Readonly<Record<MantineColorScheme, IconName>> = { auto: 'system', light: 'sun', dark: 'moon' }

/** Cycles through system, light and dark. */
export function ThemeSwitch() {
  // Without keepTransitions, Mantine injects a stylesheet, which the Content-Security-Policy blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const { theme: t } = texts
  const label = t.label(t.names[colorScheme], t.names[NEXT[colorScheme]])
  return (
    <button
      type="button"
      className="icon-button"
      onClick={() => setColorScheme(NEXT[colorScheme])}
      aria-label={label}
      title={label}
    >
      <Icon name={ICONS[colorScheme]} />
    </button>
  )
}
