import { readZipDirectory } from '../src/encoding/zip-directory.ts'
import { takenAtItsWord } from './ahead.ts'
import { type FileSource, fileSource } from './file-source.ts'
import { Ledger } from './ledger.ts'
import { runsOf, scanRun, type ZipTask } from './measure.ts'

/**
 * A process that hashes an archive before anybody can tell what is wanted of it. It is told the archive, which file that
 * has to be, and its own number; the ledger is the file that follows the three that every process has.
 */
const LEDGER_FILE = 3

async function measureAhead([path = '', identity = '', who = '']: readonly string[]): Promise<void> {
  using file = fileSource(path)
  if (file.identity !== identity) return
  const source = whileAsked(file)
  const { entries, offset } = await readZipDirectory(source)
  const task: ZipTask = {
    kind: 'zip',
    path,
    entries,
    end: offset,
    wanted: new Set(entries.map(({ name }) => name)),
    vouchedCrc32: new Map(entries.filter(takenAtItsWord(entries)).map(({ name, crc32 }) => [name, crc32])),
  }
  const runs = runsOf(task)
  const ledger = new Ledger(LEDGER_FILE, Number(who))
  for (let run = ledger.claim(runs.length); run !== undefined; run = ledger.claim(runs.length)) {
    const contents = await scanRun(source, task, runs[run]!)
    const isRight = contents.every(({ problem }) => problem === undefined)
    ledger.report(run, isRight ? contents.map(({ sha256 }) => sha256 ?? null) : null)
  }
}

/** Fails at the next read once the process that asked is gone: a large file would take minutes. */
function whileAsked(source: FileSource): FileSource {
  const parent = process.ppid
  return {
    ...source,
    read(offset, length) {
      if (process.ppid !== parent) throw new Error('nobody is left to hash for')
      return source.read(offset, length)
    },
  }
}

// Whatever is wrong with the archive, the one who judges it finds as well, and says so.
measureAhead(process.argv.slice(2)).catch(() => undefined)
