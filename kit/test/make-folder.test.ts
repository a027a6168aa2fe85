import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from '../node/index.ts'

test('a folder is made with those around it, for its owner alone, and the outermost new one is named', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    assert.equal(await makeFolder(join(top, 'a/b/c')), join(top, 'a'))
    assert.equal(statSync(join(top, 'a/b')).mode & 0o777, 0o700)
    assert.equal(statSync(join(top, 'a/b/c')).mode & 0o777, 0o700)
    assert.equal(await makeFolder(join(top, 'a/b/c')), undefined, 'what is there is left as it is')
    assert.equal(await makeFolder(join(top, 'a/b/c/d')), join(top, 'a/b/c/d'))
  } finally {
    rmSync(top, { recursive: true })
  }
})

test('many at once make one folder, and none of them fails', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(top, 'a/b/c'))))
    assert.ok(statSync(join(top, 'a/b/c')).isDirectory())
  } finally {
    rmSync(top, { recursive: true })
  }
})

test('where no folder can be made, the system says so, and it is no endless try', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    writeFileSync(join(top, 'file'), '')
    await assert.rejects(makeFolder(join(top, 'file/below')), { code: 'EEXIST', path: join(top, 'file') })
    await assert.rejects(makeFolder('/proc/nowhere/below'), { syscall: 'mkdir', path: '/proc/nowhere' })
  } finally {
    rmSync(top, { recursive: true })
  }
})
