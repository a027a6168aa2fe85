import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from '../node/internal.ts'

test('a folder is created with its parents, for the owner only, and the outermost new one is returned', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    assert.equal(await makeFolder(join(top, 'a/b/c')), join(top, 'a'))
    assert.equal(statSync(join(top, 'a/b')).mode & 0o777, 0o700)
    assert.equal(statSync(join(top, 'a/b/c')).mode & 0o777, 0o700)
    assert.equal(await makeFolder(join(top, 'a/b/c')), undefined, 'an existing folder is left alone')
    assert.equal(await makeFolder(join(top, 'a/b/c/d')), join(top, 'a/b/c/d'))
  } finally {
    rmSync(top, { recursive: true })
  }
})

test('concurrent calls create one folder, and none fails', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(top, 'a/b/c'))))
    assert.ok(statSync(join(top, 'a/b/c')).isDirectory())
  } finally {
    rmSync(top, { recursive: true })
  }
})

test('if the system refuses to create a folder, its error is thrown', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kitseal-folder-'))
  try {
    writeFileSync(join(top, 'file'), '')
    await assert.rejects(makeFolder(join(top, 'file/below')), { code: 'EEXIST', path: join(top, 'file') })
    await assert.rejects(makeFolder('/proc/nowhere/below'), { syscall: 'mkdir', path: '/proc/nowhere' })
  } finally {
    rmSync(top, { recursive: true })
  }
})
