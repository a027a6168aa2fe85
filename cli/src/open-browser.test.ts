import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformOf } from '@kitseal/kit/internal/node'
import { browserCommand, openBrowser } from './commands/demo.ts'

test('the browser is opened where there is a screen', () => {
  assert.deepEqual(browserCommand(platformOf('darwin'), {}), ['open'])
  assert.deepEqual(browserCommand(platformOf('win32'), {}), ['rundll32', 'url.dll,FileProtocolHandler'])
  assert.deepEqual(browserCommand(platformOf('linux'), { WAYLAND_DISPLAY: 'wayland-0' }), ['xdg-open'])
  assert.equal(browserCommand(platformOf('linux'), { DISPLAY: '' }), undefined)
})

test('a command that is missing is no error', async () => {
  const { PATH } = process.env
  process.env['PATH'] = '/nonexistent'
  try {
    openBrowser('http://localhost:1', { DISPLAY: ':0' })
    await new Promise(setImmediate)
  } finally {
    process.env['PATH'] = PATH
  }
})
