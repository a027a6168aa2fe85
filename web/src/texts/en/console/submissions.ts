import { counted } from '../../../readable.ts'

type Differences = Readonly<Record<'added' | 'removed' | 'changed' | 'moved' | 'unchanged', number>>

/** Submissions, their results, their kits. */
export const submissions = {
  list: {
    lead: 'What was sent, and what came of it. The list changes by itself.',
    new: 'New submission',
    search: 'Search by label or id',
    searchPlaceholder: 'Part of a label, or a whole id',
    status: 'Status',
    anyStatus: 'Any status',
    statuses: { PENDING: 'Pending', RUNNING: 'Running', PASS: 'PASS', FAIL: 'FAIL' },
    more: 'Load more',
    searchFurther: 'Search further',
    shown: (count: number) => `${counted(count, 'submission')} shown`,
    columns: { label: 'About', status: 'Status', files: 'Evidence', changed: 'Changed' },
    none: {
      title: 'Nothing has been submitted yet',
      text: 'Drop some files, see what the rules say of them, and get a kit that anyone can check.',
    },
    noMatch: { title: 'Nothing matches', text: 'Search for another part of the label, or for any status.' },
  },
  timeline: {
    title: 'What happened',
    received: (files: number) => `${counted(files, 'file')} received`,
    actions: {
      'submission.created': 'Opened',
      'submission.resubmitted': 'Its good files were taken over into a new submission',
      'submission.sealed': 'Sealed: no file can be added or changed',
      'submission.started': 'Examination began',
      'submission.passed': 'PASS: the kit was signed and issued',
      'submission.failed': 'FAIL: blockers were found; no credit was charged',
    },
    by: (actor: 'key' | 'member' | 'operator' | 'service', name: string | null) => {
      if (actor === 'service') return 'by the service'
      if (actor === 'operator') return 'by the operator'
      if (actor === 'key') return name === null ? 'with an API key' : `with the API key “${name}”`
      return `by ${name ?? 'a member'}`
    },
  },
  submission: {
    id: 'the submission’s id',
    missing: {
      title: 'No such submission',
      text: 'Your workspace has no submission with the id in this address. Perhaps the address was cut short, or it is of another workspace.',
    },
    resubmittedFrom: 'Made out of the good files of',
    resubmittedAs: 'Submitted again as',
    waiting: {
      queued: { title: 'It waits for its turn', text: 'This page changes by itself.' },
      running: {
        title: 'It is being examined',
        text: 'Every file is held against every rule, then the kit is sealed and verified. This page changes by itself.',
      },
    },
    draft: {
      title: 'It waits for files',
      text: 'Nothing has been sent yet. Choose the files below.',
      withFiles:
        'The files below are there already. Add what is missing or mended, then send. What a profile asks for is checked by the service, because the files that are there cannot be read here.',
      there: (count: number) => `${counted(count, 'file')} already there`,
    },
    fail: {
      word: 'FAIL',
      sentence: (blockers: string, count: number) =>
        `No kit was issued, and no credit was charged: ${blockers} ${count === 1 ? 'stands' : 'stand'} against it.`,
      report: 'fail_report.json',
      fixTitle: 'Fix and resubmit',
      fixText:
        'A new submission begins with the files that you keep; they are not sent again. Add the mended ones there.',
      good: 'nothing stands against it',
      bad: 'a blocker is about it',
      notListed: 'no blocker that is listed is about it',
      fix: 'Fix and resubmit',
      keeps: (count: number) => `keeps ${counted(count, 'file')}`,
    },
    kit: {
      word: 'PASS',
      sentence: 'The kit was issued. Anyone can check it, with this service or without it.',
      expired:
        'The kit was issued, and kept as long as the plan of this workspace says. Its manifest and receipt are left here; whoever has a copy of the kit can still check it.',
      downloadKit: 'Download kit.zip',
      verify: 'Verify now in this browser',
      verifyText: 'Fetch the kit as anybody would get it, and check it here with the published keys.',
      notFetched: (status: number) => `The kit could not be fetched (${status}). Try again.`,
      parts: 'Parts of the kit',
      tabs: { kit: 'Kit', inventory: 'Inventory', deliverables: 'Deliverables', binder: 'Binder' },
      facts: {
        kit: 'Kit',
        issued: 'Issued',
        key: 'Key ID',
        manifest: 'Manifest SHA-256',
        root: 'Root hash',
        receipt: 'Receipt SHA-256',
        size: 'Size',
        page: 'Its page',
      },
      compare: 'Compare with an earlier kit of this scope',
      binderHint: 'The binder is for reading and printing.',
      binderAlone: 'Open it alone',
      deliverables: {
        'kit.zip': 'the whole kit: evidence, documents, verifier',
        'manifest.json': 'every file with its hash',
        'receipt.json': 'the signed receipt',
        'receipt.canonical.json': 'the exact bytes that are signed',
        'receipt.sig': 'the raw Ed25519 signature, 64 bytes',
        'jwks.json': 'a copy of the public keys; a convenience, no proof',
        'binder.pdf': 'the binder, to read and print',
        'VERIFY.md': 'how to verify, by tool and by hand',
        'reports/intake_report.json': 'what was received, and how it was judged',
        'reports/classification_report.json': 'what each file is',
      },
    },
  },
  inventory: {
    path: 'File',
    sha256: 'SHA-256',
    size: 'Size',
    hashOf: (name: string) => `the SHA-256 of ${name}`,
    kinds: {
      evidence: 'Evidence, byte for byte as supplied',
      binder: 'Binder',
      report: 'Reports',
      guide: 'Guide',
      verifier: 'Verifier',
      bag: 'The bag’s own files',
      envelope: 'Envelope: the signed documents',
    },
  },
  compare: {
    lead: 'What was added, removed and changed in the evidence between two kits of one scope.',
    from: 'Earlier kit',
    to: 'Later kit',
    choose: 'Choose a kit',
    chooseLaterFirst: 'Choose the later kit first',
    nothing: 'No kit matches',
    noSibling: 'No other kit has this scope. Give later submissions the same label to compare them.',
    missing: 'Your workspace has no kit with one of the ids in this address.',
    scopesDiffer: 'These two kits are of different scopes. Choose two with the same label.',
    none: {
      title: 'There are no two kits to compare yet',
      text: 'Once two submissions with the same label have passed, you can see here what changed between them.',
    },
    result: 'Differences',
    same: 'The evidence of both kits is the same, byte for byte.',
    kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' },
    counts: ({ added, removed, changed, moved, unchanged }: Differences) =>
      Object.entries({ added, removed, changed, moved, unchanged })
        .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
        .join(', ') + '.',
    changed: (from: string, to: string, fromHash: string, toHash: string) =>
      `${from} → ${to}, SHA-256 ${fromHash}… → ${toHash}…`,
    moved: (from: string) => `was ${from}`,
  },
}
