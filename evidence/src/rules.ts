// docs/decisions/0200
/** One rule of the service. `message` holds for every file that breaks it; a detail about the file at hand follows it. */
export interface Rule {
  readonly message: string
  readonly remedy: string
}

export const RULES = {
  empty_submission: {
    message: 'The submission has no files.',
    remedy: 'Upload at least one file.',
  },
  empty_file: {
    message: 'The file is empty.',
    remedy: 'Upload the file with its content, or leave it out.',
  },
  empty_archive: {
    message: 'The archive contains no files.',
    remedy: 'Pack the files again and check the archive before you upload it.',
  },
  unsupported_type: {
    message: 'This file type is not supported.',
    remedy:
      'Convert it to one of: ZIP, PDF, DOCX, XLSX, PPTX, ODT, ODS, PNG, JPEG, TIFF, CSV, TSV, TXT, LOG, MD, JSON, NDJSON, XML, YAML, EML, HTML.',
  },
  type_mismatch: {
    message: 'The content does not match the file name extension.',
    remedy: 'Change the extension to match the content, or upload the right file.',
  },
  legacy_office: {
    message: 'Legacy Office files (DOC, XLS, PPT) are not supported.',
    remedy: 'Save it as DOCX, XLSX, PPTX or PDF.',
  },
  executable_content: {
    message: 'The file is a program, contains one, or has the extension of one.',
    remedy: 'Remove programs. To prove that one exists, upload its hash in a text file.',
  },
  script_content: {
    message: 'The file is a script.',
    remedy: 'Remove the script, or upload it printed as PDF.',
  },
  macros: {
    message: 'The Office file contains macros.',
    remedy: 'Save it without macros (DOCX, XLSX, PPTX, ODT or ODS) or as PDF.',
  },
  encrypted_archive: {
    message: 'This file in the archive is encrypted.',
    remedy: 'Pack the files again without a password.',
  },
  encrypted_pdf: {
    message: 'The PDF is encrypted.',
    remedy: 'Save it without a password and without restrictions on printing or copying.',
  },
  encrypted_office: {
    message: 'The Office file is password-protected.',
    remedy: 'Save it without a password.',
  },
  unreadable_archive: {
    message: 'The archive is damaged or ambiguous: different programs could read different content from it.',
    remedy: 'Pack the files again with a current version of a common tool.',
  },
  archive_method: {
    message: 'The archive uses a compression method that is not widely supported.',
    remedy: 'Pack the files again with deflate, the default in most tools.',
  },
  name_traversal: {
    message: 'The name contains ".." and points outside its folder.',
    remedy: 'Pack the files from inside their folder.',
  },
  name_absolute: {
    message: 'The name is an absolute path.',
    remedy: 'Pack the files with relative paths.',
  },
  name_backslash: {
    message: 'The name contains a backslash, which is a folder separator on Windows only.',
    remedy:
      'Pack the files again with "/" between folders. Windows Explorer, 7-Zip and PowerShell 7 do that; older versions of Compress-Archive and .NET do not.',
  },
  name_not_unicode: {
    message: 'The encoding of the name is unknown.',
    remedy: 'Pack the files again with a tool that writes UTF-8 names, or use only ASCII characters.',
  },
  name_forbidden: {
    message: 'The name is not valid on every operating system.',
    remedy:
      'Rename it: no control characters, no names that Windows reserves, no dot or space at the end of a part, at most 255 bytes per part and 1,024 in total.',
  },
  name_direction: {
    message: 'The name contains invisible characters that change the text direction and can disguise it.',
    remedy: 'Retype the name without them.',
  },
  name_collision: {
    message: 'Another file has the same name, or one that some operating systems treat as the same.',
    remedy: 'Rename one of the two.',
  },
  link: {
    message: 'The entry is a link, not a file.',
    remedy: 'Pack the file that it points to instead.',
  },
  special_file: {
    message: 'The entry is neither a file nor a folder.',
    remedy: 'Leave it out.',
  },
  too_many_entries: {
    message: 'The submission contains too many files.',
    remedy: 'Split it into several submissions.',
  },
  too_large_unpacked: {
    message: 'The submission is too large when unpacked.',
    remedy: 'Split it into several submissions.',
  },
  archive_ratio: {
    message: 'The archive unpacks to far more than its size, like a zip bomb.',
    remedy: 'Upload the files unpacked, or leave them out.',
  },
  nested_too_deep: {
    message: 'Archives or documents are nested too deeply.',
    remedy: 'Unpack the inner ones.',
  },
  malformed_json: {
    message: 'The file is not valid JSON.',
    remedy: 'Export it again, or name it .txt if it is not meant to be JSON.',
  },
  malformed_xml: {
    message: 'The file is not well-formed XML.',
    remedy: 'Export it again, or name it .txt if it is not meant to be XML.',
  },
  xml_entities: {
    message: 'The XML declares its own entities, which not every program expands in the same way.',
    remedy: 'Export it without entity declarations.',
  },
  malformed_csv: {
    message: 'The table is cut off.',
    remedy: 'Export it again.',
  },
  malformed_yaml: {
    message: 'The file is not valid YAML.',
    remedy: 'Correct it, or name it .txt if it is not meant to be YAML.',
  },
  malformed_eml: {
    message: 'The file is not a valid e-mail message.',
    remedy: 'Save the message again as EML, with its headers.',
  },
  malformed_pdf: {
    message: 'The PDF is damaged or truncated.',
    remedy: 'Open it, save it again, and upload the new file.',
  },
  malformed_office: {
    message: 'The Office file is damaged.',
    remedy: 'Open it, save it again, and upload the new file.',
  },
  malformed_image: {
    message: 'The image is damaged or truncated.',
    remedy: 'Export the image again.',
  },
  appended_content: {
    message: 'Another file is appended to this one, and some programs open that file instead.',
    remedy: 'Save the file again without it, and upload the other file separately.',
  },
  test_virus: {
    message: 'The file contains the EICAR antivirus test string.',
    remedy: 'Leave it out.',
  },
  virus_found: {
    message: 'The virus scanner found malware.',
    remedy: 'Leave the file out, and have the computer it comes from checked.',
  },
  scan_failed: {
    message: 'The virus scanner could not scan the file.',
    remedy: 'Submit again later. If it keeps failing, contact the operator of the service.',
  },
  checksum_mismatch: {
    message: 'The file does not match its checksum in the evidence.',
    remedy: 'Upload the right file, or create the checksums again.',
  },
  checksum_file_missing: {
    message: 'A checksum list in the evidence names a file that is missing.',
    remedy: 'Upload the file, or create the checksums again.',
  },
  checksum_list_malformed: {
    message: 'The checksum list cannot be read.',
    remedy: 'Create it again with `sha256sum`.',
  },
  profile_item_missing: {
    message: 'An item that the profile requires is missing.',
    remedy: 'Add the files, at a path that the profile names.',
  },
  profile_item_too_old: {
    message: 'The evidence for an item is older than the profile allows.',
    remedy: 'Upload a newer export with its date in the file name, as YYYY-MM-DD.',
  },
  profile_item_undated: {
    message: 'The profile limits the age of an item, but no matching file has a date in its name.',
    remedy: 'Add the date of the evidence to the file name, as YYYY-MM-DD.',
  },
  more_blockers: {
    message: 'There are more blockers than are listed.',
    remedy: 'Fix these first and submit again.',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleCode = keyof typeof RULES

/** A finding that prevents a kit from being issued. */
export interface Blocker {
  readonly code: RuleCode
  /** The name of the supplied file, followed by the path inside it for archives. Null for the submission as a whole. */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
}

/** A broken rule, before it is attached to a path. */
export interface Finding {
  readonly code: RuleCode
  readonly detail?: string | undefined
}

export function blocker(path: string | null, { code, detail }: Finding): Blocker {
  const { message, remedy } = RULES[code]
  return {
    code,
    path: path === null ? null : escapeInvisible(path),
    message: detail === undefined ? message : `${message} ${sentence(escapeInvisible(detail))}`,
    remedy,
  }
}

/** Escapes control and invisible characters in untrusted text, and limits its length. */
export function escapeInvisible(text: string): string {
  const truncated = text.length > 1200 ? `${text.slice(0, 1200)}…` : text
  return truncated
    .toWellFormed()
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16)
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
    })
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
