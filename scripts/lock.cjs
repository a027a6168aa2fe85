'use strict'
// Plain JavaScript that old Node releases can parse.
// A lock between processes: a file that contains the process id of its holder.
const fs = require('fs')
const path = require('path')

const TIMEOUT_MS = 10 * 60 * 1000
const POLL_MS = 100

/** Waits for the lock. Calls `onWait` once if another process holds it. */
exports.acquireLock = async (lock, onWait) => {
  fs.mkdirSync(path.dirname(lock), { recursive: true })
  const mine = lock + '.' + process.pid
  const deadline = Date.now() + TIMEOUT_MS
  let waited = false
  let holder = process.pid
  fs.writeFileSync(mine, String(holder))
  try {
    while (!tryLink(mine, lock)) {
      if (Date.now() > deadline)
        throw new Error(
          'Timed out after 10 minutes waiting for ' + lock + '. If nothing else is running, delete it.',
        )
      if (!waited) onWait()
      waited = true
      removeIfStale(lock, mine + '.stale')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    fs.unlinkSync(mine)
  }
  return {
    /** The lock is held until that process exits, even if this one is killed. */
    transferTo(pid) {
      holder = pid
      fs.writeFileSync(mine, String(pid))
      fs.renameSync(mine, lock)
    },
    /** After a transfer, another process may have taken the lock since that process exited. */
    release() {
      if (readHolder(lock) === holder) removeFrom(holder, lock, mine)
    },
  }
}

function tryLink(from, to) {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function removeIfStale(lock, aside) {
  const holder = readHolder(lock)
  if (holder !== undefined && !isAlive(holder)) removeFrom(holder, lock, aside)
}

function removeFrom(holder, lock, aside) {
  try {
    // Rename before deleting: if another process has just taken the lock, put it back.
    fs.renameSync(lock, aside)
    if (readHolder(aside) !== holder) tryLink(aside, lock)
    fs.unlinkSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function readHolder(lock) {
  try {
    return Number(fs.readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
