/** What matching a profile can show. */
export const PROFILE_RULES = {
  profile_item_missing: {
    class: 'damage',
    message: 'An item that the profile requires is missing.',
    remedy: 'Put the files into a folder with the ID of the item, or confirm a file whose name matches.',
  },
  profile_item_too_old: {
    class: 'damage',
    message: 'The evidence for an item is older than the profile allows.',
    remedy:
      'Upload a newer export, and state when it was collected (provenance) or put the date in the file name, as YYYY-MM-DD.',
  },
  profile_item_undated: {
    class: 'damage',
    message:
      'The profile limits the age of an item, but no matching file has a date in its provenance or its name.',
    remedy:
      'State when the evidence was collected (provenance), or add the date to the file name, as YYYY-MM-DD.',
  },
  provenance_unmatched: {
    class: 'notice',
    message: 'Provenance was stated for a file that is not among the evidence.',
    remedy: 'Name the file by its path in the kit, without data/.',
  },
} as const
