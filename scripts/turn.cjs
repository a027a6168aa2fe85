'use strict'
// Plain JavaScript that old releases of Node can parse.
// One at a time, across processes: a lock file that holds the id of the process whose turn it is.
const fs = require('fs')
const path = require('path')

const PATIENCE_MS = 10 * 60 * 1000

/** Waits for the turn. `isWaiting` is called once if it does not come at once. */
exports.takeTurn = async (lock, isWaiting) => {
  fs.mkdirSync(path.dirname(lock), { recursive: true })
  const mine = lock + '.' + process.pid
  const deadline = Date.now() + PATIENCE_MS
  let waited = false
  fs.writeFileSync(mine, String(process.pid))
  try {
    while (!tryLink(mine, lock)) {
      if (Date.now() > deadline)
        throw new Error(lock + ' is held for ten minutes: if nobody is installing, delete it.')
      if (!waited) isWaiting()
      waited = true
      removeIfAbandoned(lock, mine + '.abandoned')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    fs.unlinkSync(mine)
  }
  return {
    /** The turn lasts as long as that process, even if this one is killed. */
    handTo(pid) {
      fs.writeFileSync(mine, String(pid))
      fs.renameSync(mine, lock)
    },
    end() {
      fs.unlinkSync(lock)
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

function removeIfAbandoned(lock, aside) {
  const holder = holderOf(lock)
  if (holder === undefined || isAlive(holder)) return
  try {
    // Moved aside first: if another waiter has replaced the lock meanwhile, it is put back, not lost.
    fs.renameSync(lock, aside)
    if (holderOf(aside) !== holder) tryLink(aside, lock)
    fs.unlinkSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function holderOf(lock) {
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
