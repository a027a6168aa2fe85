import { counted } from '../words.ts'

const OR = new Intl.ListFormat('en', { type: 'disjunction' })

/** Profiles, checklists and series. */
export const profiles = {
  checklist: {
    title: (met: number, required: number) => `Checklist: ${met} of ${counted(required, 'required item')}`,
    states: { met: 'Done', suggested: 'To confirm', missing: 'Missing', optional: 'Optional', open: 'To do' },
    suggestion: (name: string) => `Suggested by its name: ${name}`,
    confirm: 'Confirm',
    confirmAs: (name: string, item: string) => `that ${name} is for ${item}`,
    example: (name: string) => `For example ${name}`,
    wanted: (types: readonly string[], days: number | undefined) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}.`
      const age = `not older than ${counted(days, 'day')}`
      const both = kinds === '' ? `${age[0]?.toUpperCase()}${age.slice(1)}` : `${kinds}, ${age}`
      return `${both}. Put the date into the name: 2026-09-30.`
    },
    choose: 'Choose files',
  },
  profiles: {
    lead: 'A profile is a checklist of what evidence for one purpose must contain.',
    new: 'New profile',
    copy: 'Copy',
    edit: 'Edit',
    remove: 'Delete',
    removeTitle: (title: string) => `Delete ${title}?`,
    removeText: 'New submissions can no longer use it. Those that exist keep it.',
    columns: { title: 'Profile', items: 'Items', source: 'From', actions: 'Actions' },
    sources: { service: 'kitseal', workspace: 'This workspace' },
    items: (count: number) => counted(count, 'item'),
    preview: 'Preview',
    save: 'Save',
    name: 'Name for the API',
    nameHint: 'Lower-case letters, digits and hyphens. It cannot be changed later.',
    titleField: 'Title',
    description: 'Description',
    item: (index: number) => `Item ${index + 1}`,
    itemTitle: 'What it is',
    itemDescription: 'What to supply',
    itemExample: 'Example of a file name',
    itemControls: 'Controls',
    itemTypes: 'Types of files',
    anyType: 'Any type',
    itemAge: 'Not older than',
    anyAge: 'Any age',
    days: ' days',
    itemPaths: 'Names of files that count',
    itemPathsHint:
      'Optional. A * stands for any text, such as users-*.csv. Files that are dropped on the item always count.',
    itemCount: 'Number of files',
    policy: {
      title: 'Rules',
      examinedOnly: 'Accept only files that the service can examine',
      examinedOnlyHint: 'Other files fail the submission instead of being accepted as they are.',
      strict: 'Findings that always fail the submission',
      strictHint: 'Otherwise the supplier can acknowledge them, or they are only mentioned.',
      strictNone: 'None beyond the rules for all evidence',
    },
    itemId: 'ID (folder name)',
    itemRequired: 'Required',
    addItem: 'Add item',
    removeItem: 'Remove item',
  },
  /** The types that the editor offers, as people call them. */
  fileTypes: {
    pdf: 'PDF',
    docx: 'Word document',
    xlsx: 'Excel workbook',
    pptx: 'PowerPoint presentation',
    csv: 'CSV table',
    txt: 'plain text',
    log: 'log',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'HTML page',
    png: 'PNG image',
    jpeg: 'JPEG image',
    eml: 'e-mail message',
    msg: 'Outlook message',
    odt: 'OpenDocument text',
    ods: 'OpenDocument spreadsheet',
    zip: 'ZIP archive',
    sarif: 'SARIF scan results',
  },
  series: {
    add: 'Add to a series',
    of: (name: string) => `Series: ${name}`,
    addLabel: 'Series',
    addHint: 'The kit does not change. The next kit of the series will name it as the one before.',
  },
}
