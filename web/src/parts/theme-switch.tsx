import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { texts } from '../texts/index.ts'
import { Icon, type IconName } from './icons.tsx'

const NEXT: Readonly<Record<MantineColorScheme, MantineColorScheme>> = {
  auto: 'light',
  light: 'dark',
  dark: 'auto',
}
const ICONS: Readonly<Record<MantineColorScheme, IconName>> = { auto: 'system', light: 'sun', dark: 'moon' }

/** As the system has it, light, dark: one button through all three. */
export function ThemeSwitch() {
  // Without keepTransitions a stylesheet would be written into the page, which its policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const { theme: t } = texts
  const says = t.says(t.names[colorScheme], t.names[NEXT[colorScheme]])
  return (
    <button
      type="button"
      className="icon-button"
      onClick={() => setColorScheme(NEXT[colorScheme])}
      aria-label={says}
      title={says}
    >
      <Icon name={ICONS[colorScheme]} />
    </button>
  )
}
