import { counted, number } from '../words.ts'

type Differences = Readonly<Record<'added' | 'removed' | 'changed' | 'moved' | 'unchanged', number>>

/** Submissions, their results and their kits. */
export const submissions = {
  list: {
    lead: 'Evidence submitted by this workspace. This list updates automatically.',
    new: 'New submission',
    search: 'Search',
    searchPlaceholder: 'Name, file name, tag or ID',
    status: 'Status',
    anyStatus: 'Any status',
    statuses: {
      PENDING: 'Pending',
      RUNNING: 'Checking',
      PASS: 'Sealed',
      FAIL: 'Needs changes',
      EXPIRED: 'Expired',
    },
    sort: 'Sort by',
    sorts: {
      '-created_at': 'Newest first',
      created_at: 'Oldest first',
      label: 'Name, A to Z',
      '-label': 'Name, Z to A',
      '-size_bytes': 'Largest first',
      size_bytes: 'Smallest first',
    },
    moreFilters: 'More filters',
    fewerFilters: 'Fewer filters',
    clearFilters: 'Clear filters',
    filters: {
      path: 'File name',
      pathExample: 'payroll',
      tag: 'Tag',
      series: 'Series',
      external_id: 'External ID',
      created_after: 'Created from',
      created_before: 'Created before',
    },
    withTag: (tag: string) => `Show submissions with tag ${tag}`,
    inSeries: (series: string) => `Series: ${series}`,
    reissued: 'Re-issued',
    searchFurther: 'Search older submissions',
    shown: (count: number) => `${counted(count, 'submission')} shown`,
    columns: {
      select: 'Select',
      label: 'Name',
      status: 'Status',
      files: 'Evidence',
      sender: 'Sender',
      created: 'Created',
    },
    noSender: 'Supplier, by link',
    selectAll: 'Select all shown',
    select: (label: string) => `Select ${label}`,
    bulk: {
      selected: (count: number) => `${number(count)} selected`,
      download: 'Download kits',
      compare: 'Compare',
      tag: 'Add tag',
      remove: 'Delete',
      clear: 'Clear selection',
      tagTitle: (count: number) => `Add a tag to ${counted(count, 'submission')}`,
      tagLabel: 'Tag',
      tagHint: 'Up to 50 characters, without commas.',
      removeTitle: (count: number) => `Delete ${counted(count, 'submission')}?`,
      removeText:
        'Drafts are removed. The evidence of kits is deleted within the hour; their manifests and receipts stay. This cannot be undone.',
      failed: (count: number, of: number) =>
        `${number(count)} of ${counted(of, 'submission')} could not be changed:`,
    },
    none: {
      title: 'No submissions yet',
      text: 'Upload evidence and get a kit that anyone can verify.',
    },
    noMatch: {
      title: 'No matches',
      text: 'Words match from their start: “pay” finds “payroll”. Try fewer words or filters.',
    },
  },
  timeline: {
    title: 'Timeline',
    received: (files: number) => `${counted(files, 'file')} uploaded`,
    actions: {
      'submission.created': 'Created',
      'submission.changed': 'Tags or metadata changed',
      'submission.resubmitted': 'Files reused in a new submission',
      'submission.reissued': 'Kit re-issued',
      'submission.sealed': 'Submitted, no more uploads',
      'submission.started': 'Checking started',
      'submission.passed': 'Sealed, kit issued',
      'submission.failed': 'Needs changes',
      'submission.held': 'Legal hold placed',
      'submission.released': 'Legal hold released',
      'submission.erased': 'Evidence deleted on request',
      'submission.deleted': 'Deleted',
      'submission.expired': 'Draft expired',
    },
    by: (actor: 'key' | 'member' | 'operator' | 'service' | 'link' | 'anonymous', name: string | null) => {
      if (actor === 'service') return 'by the service'
      if (actor === 'operator') return 'by the operator'
      if (actor === 'link') return 'with a share or request link'
      if (actor === 'anonymous') return 'with a public link'
      if (actor === 'key') return name === null ? 'with an API key' : `with API key “${name}”`
      return `by ${name ?? 'a member'}`
    },
  },
  submission: {
    id: 'submission ID',
    missing: {
      title: 'Submission not found',
      text: 'Not found in this workspace. Check the link, or switch to the workspace it belongs to.',
    },
    earlier: 'an earlier submission',
    newer: 'a new submission',
    resubmittedFrom: 'Reuses files from',
    resubmittedAs: 'Resubmitted as',
    waiting: {
      queued: { title: 'Queued', text: 'Checking starts soon. This page updates automatically.' },
      running: {
        title: 'Checking',
        text: 'Every file is checked, then the kit is sealed and verified. This page updates automatically.',
      },
    },
    draft: {
      unfinished: {
        title: 'Unfinished uploads',
        text: 'To continue an upload, choose the same file again. Delete what you do not need, then submit.',
        progress: (done: string, all: string) => `${done} of ${all} uploaded`,
        remove: 'Delete',
      },
      title: 'Not submitted yet',
      text: 'Choose files below, then submit.',
      withFiles:
        'The files below are already uploaded. Add missing or corrected files, then submit. The profile is checked after upload.',
      there: (count: number) => `${counted(count, 'file')} already uploaded`,
      delete: {
        action: 'Delete draft',
        title: 'Delete this draft?',
        text: 'Uploaded files are deleted. This cannot be undone.',
      },
    },
    fail: {
      word: 'Needs changes',
      sentence: (blockers: string) => `${blockers} found. No kit was issued.`,
      report: 'fail_report.json',
      fixTitle: 'Files to keep',
      fixText:
        'Select the files to keep. They are copied to a new submission, where you can add the corrected ones.',
      good: 'no blockers',
      bad: 'has blockers',
      notListed: 'no blockers listed',
      fix: 'Fix and resubmit',
      keeps: (kept: number, all: number) =>
        `Keeps ${number(kept)} of ${counted(all, 'file')}. You add the corrected ones next.`,
    },
    kit: {
      unpacked: (uploaded: number, files: number) =>
        `${counted(uploaded, 'file')} uploaded, ${counted(files, 'file')} in the kit: ZIP archives are unpacked.`,
      expiredWord: 'Expired',
      sentence: 'The kit was issued. Anyone can verify it, with or without this service.',
      expired:
        'The evidence was deleted. The manifest and receipt remain. Copies of the kit can still be verified.',
      downloadKit: 'Download kit.zip',
      verify: 'Verify in this browser',
      verifyText: 'Download the kit and verify it here against the published keys.',
      notFetched: (status: number) => `Could not download the kit (HTTP ${status}). Try again.`,
      parts: 'Parts of the kit',
      tabs: { evidence: 'Evidence', binder: 'Binder', deliverables: 'Downloads', details: 'Details' },
      allFiles: 'All files in the kit',
      issued: 'Issued',
      facts: {
        kit: 'Kit ID',
        supplier: 'Supplier (named in the kit)',
        supplierByLink: 'Supplier',
        requester: 'Requester (named in the kit)',
        issued: 'Issued',
        key: 'Key ID',
        manifest: 'Manifest SHA-256',
        root: 'Root hash',
        receipt: 'Receipt SHA-256',
        zip: 'kit.zip SHA-256',
        size: 'Size',
        sizeValue: (files: number, size: string) =>
          `${size}, ${counted(files, 'file')} including those added by the service`,
        page: 'Verification page',
      },
      log: {
        place: 'In the log',
        position: (index: number, origin: string, size: number) =>
          `Entry ${number(index + 1)} of ${number(size)} in ${origin}`,
        proof: 'Download the newest log proof',
        witnesses: 'Witnesses',
        cosigned: (name: string, at: string) => `${name}, ${at}`,
        none: 'No witness has confirmed it yet',
      },
      compare: 'Compare with an earlier kit',
      binderHint: 'The binder is a PDF to read and print.',
      binderAlone: 'Open in a new tab',
      deliverables: {
        'kit.zip': 'The complete kit: evidence, documents and verifier',
        'manifest.json': 'List of all files with their hashes',
        'receipt.json': 'Signed receipt',
        'receipt.canonical.json': 'The exact bytes that were signed',
        'receipt.sig': 'Ed25519 signature, 64 bytes',
        'jwks.json': 'Copy of the public keys, for convenience. Get trusted keys from the issuer.',
        'binder.pdf': 'Binder, to read and print',
        'VERIFY.md': 'How to verify the kit',
        'reports/intake_report.json': 'What was uploaded, and the result of the checks',
        'reports/classification_report.json': 'The type of each file',
        'reports/provenance.json': 'Where the evidence came from, verified and stated',
        'reports/reissue.json': 'The kit that this one replaces, and why',
        'reports/program.json': 'The items of the period, their statuses and their files',
        'reports/series.json': 'The kit before this one in its series, and the differences',
      },
    },
  },
  inventory: {
    path: 'File',
    sha256: 'SHA-256',
    size: 'Size',
    hashOf: (name: string) => `SHA-256 of ${name}`,
    kinds: {
      evidence: 'Evidence',
      binder: 'Binder',
      report: 'Reports',
      guide: 'Verification guide',
      verifier: 'Verifier',
      bag: 'BagIt files',
      envelope: 'Envelope (manifest, receipt, signature, keys)',
    },
  },
  compare: {
    lead: 'See which evidence was added, removed, changed, renamed or moved between two kits.',
    from: 'Earlier kit',
    to: 'Later kit',
    choose: 'Choose a kit',
    chooseLaterFirst: 'Choose the later kit first',
    nothing: 'No kits found',
    noSibling: 'There is no other kit to compare it with.',
    missing: 'Kit not found in this workspace.',
    scopesDiffer: 'These kits have different names.',
    none: {
      title: 'No kits to compare yet',
      text: 'You need two kits.',
    },
    result: 'Differences',
    same: 'The evidence in both kits is identical.',
    kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Renamed or moved' },
    counts: ({ added, removed, changed, moved, unchanged }: Differences) =>
      Object.entries({ added, removed, changed, 'renamed or moved': moved, unchanged })
        .map(([what, count]) => `${number(count)} ${what}`)
        .join(', ') + '.',
    changed: (from: string, to: string, fromHash: string, toHash: string) =>
      `${from} → ${to}, SHA-256 ${fromHash}… → ${toHash}…`,
    moved: (from: string) => `The same bytes as ${from} in the earlier kit`,
  },
}
