import {
  convertCssVariables,
  defaultCssVariablesResolver,
  DEFAULT_THEME,
  mergeMantineTheme,
} from '@mantine/core'
import type { Plugin } from 'vite'
import { cssVariables, theme } from './src/console/theme.ts'

const ID = 'virtual:theme-variables.css'

/** Generates the theme's stylesheet at build time, because the Content-Security-Policy blocks inline styles. */
export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? stylesheet() : undefined),
  }
}

function stylesheet(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const base = defaultCssVariablesResolver(merged)
  const own = cssVariables(merged)
  const all = {
    variables: { ...base.variables, ...own.variables },
    light: { ...base.light, ...own.light, '--mantine-color-scheme': 'light' },
    dark: { ...base.dark, ...own.dark, '--mantine-color-scheme': 'dark' },
  }
  return convertCssVariables(all, ':root')
}
