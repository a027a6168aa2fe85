import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { win32 } from 'node:path'
import { test } from 'node:test'
import {
  allowsOthers,
  isInside,
  platformOf,
  processSpace,
  syncFolder,
  threadId,
  userFolder,
} from '../node/internal.ts'

const linux = platformOf('linux')
const macos = platformOf('darwin')
const windows = platformOf('win32')

test('folders are synced where the system can, and errors of the disk are not hidden', async () => {
  await syncFolder(tmpdir(), linux)
  await syncFolder(String.raw`C:\no-such-folder`, windows)
  for (const system of [linux, macos])
    await assert.rejects(syncFolder('/no-such-folder', system), { code: 'ENOENT' })
})

test('modes that let others read a file count, except on Windows, where every file shows them', () => {
  for (const system of [linux, macos]) {
    assert.ok(allowsOthers(0o100644, 0o077, system))
    assert.ok(!allowsOthers(0o100600, 0o077, system))
  }
  assert.ok(!allowsOthers(0o100666, 0o077, windows))
})

test('folders of the user are absolute, on Windows too', () => {
  const home = { HOME: '/users/ann', USERPROFILE: String.raw`C:\Users\ann` }
  assert.equal(userFolder('state', home, linux), '/users/ann/.local/state')
  assert.equal(userFolder('config', home, macos), '/users/ann/.config')
  assert.equal(userFolder('config', home, windows), String.raw`C:\Users\ann\AppData\Local`)
  const local = { ...home, LOCALAPPDATA: String.raw`D:\Local` }
  assert.equal(userFolder('state', local, windows), String.raw`D:\Local`)
  assert.equal(userFolder('state', local, linux), '/users/ann/.local/state')
  assert.equal(userFolder('state', { ...home, XDG_STATE_HOME: '/var/state' }, linux), '/var/state')
  for (const env of [{}, { HOME: 'ann', USERPROFILE: 'ann', LOCALAPPDATA: 'Local', XDG_STATE_HOME: 'x' }])
    for (const system of [linux, macos, windows]) assert.equal(userFolder('state', env, system), undefined)
})

test('a path is inside a folder, on another drive it is not, and letter case does not matter on Windows', () => {
  for (const inside of ['/data', '/data/marks', '/data/..marks'])
    assert.ok(isInside('/data', inside, linux), inside)
  for (const outside of ['/', '/data2', '/data/../mark', '/DATA/marks'])
    assert.ok(!isInside('/data', outside, linux), outside)
  for (const inside of [String.raw`c:\DATA\marks`, 'C:/data/marks'])
    assert.ok(isInside(String.raw`C:\data`, inside, windows), inside)
  for (const outside of [String.raw`D:\data\marks`, String.raw`C:\data2`, String.raw`\\server\data`])
    assert.ok(!isInside(String.raw`C:\data`, outside, windows), outside)
  assert.equal(windows.path, win32)
})

test('without /proc, processes are not told apart by it, and nothing fails', () => {
  for (const system of [macos, windows, { ...linux, procFolder: '/no-such-folder' }]) {
    assert.deepEqual(processSpace(system), { boot: '?', namespace: '?' })
    assert.equal(threadId(system), undefined)
  }
})
