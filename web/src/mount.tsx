import { MantineProvider } from '@mantine/core'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/Progress.layer.css'
import 'virtual:theme-variables.css'
import './parts/tokens.css'
import './parts/fonts.css'
import './parts/frame.css'
import './parts/parts.css'
import { theme } from './theme.ts'

/** Renders a page. The theme's variables come from a stylesheet, because the Content-Security-Policy blocks inline styles. */
export function mount(page: ReactNode): void {
  const root = document.querySelector('#root')
  if (root === null) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
        deduplicateCssVariables={false}
      >
        {page}
      </MantineProvider>
    </StrictMode>,
  )
}
