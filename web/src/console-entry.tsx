import { MantineProvider } from '@mantine/core'
import '@mantine/core/styles.layer.css'
import 'virtual:theme-variables.css'
import { ConsoleApp } from './console/app.tsx'
import './console/console.css'
import { theme } from './console/theme.ts'
import { mount } from './mount.tsx'

// The theme's variables come from a stylesheet, because the Content-Security-Policy blocks inline styles.
mount(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    withCssVariables={false}
    withGlobalClasses={false}
    deduplicateCssVariables={false}
  >
    <ConsoleApp />
  </MantineProvider>,
)
