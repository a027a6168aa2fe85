import { KIT_RULES } from './kits/kit-rules.ts'
import { NAME_RULES } from './name-rules.ts'
import { PROFILE_RULES } from './profile/profile-rules.ts'

/**
 * What a finding means for the submission: `danger` always blocks it, `damage` and `secret` block it unless the supplier
 * acknowledges them by their code, and a `notice` never does. Secrets are shown first.
 */
export type FindingClass = 'danger' | 'damage' | 'secret' | 'notice'

/** One rule of the service. `message` holds for every file that breaks it; a detail about the file at hand follows it. */
export interface Rule {
  readonly class: FindingClass
  readonly message: string
  readonly remedy: string
}

export const RULES = {
  empty_submission: {
    class: 'danger',
    message: 'The submission has no files.',
    remedy: 'Upload at least one file.',
  },
  empty_file: {
    class: 'damage',
    message: 'The file is empty, and a file of this type cannot be.',
    remedy: 'Upload the file with its content, or leave it out.',
  },
  empty_text: {
    class: 'notice',
    message: 'The file is empty.',
    remedy: 'Nothing to do if it is meant to be empty, such as the output of a scanner that found nothing.',
  },
  empty_archive: {
    class: 'danger',
    message: 'The archive contains no files.',
    remedy: 'Upload at least one file.',
  },
  unsupported_type: {
    class: 'notice',
    message: 'Files of this type are accepted, but not examined.',
    remedy: 'Nothing to do. If reviewers may not be able to open it, add an export as PDF or text.',
  },
  partly_examined: {
    class: 'notice',
    message: 'The file was not examined completely.',
    remedy: 'Nothing to do. Split the file if all of it should be examined.',
  },
  not_examined_in_time: {
    class: 'danger',
    message: 'Examining the file takes more work than is allowed.',
    remedy: 'Leave the file out, or send its content in another form.',
  },
  type_mismatch: {
    class: 'notice',
    message: 'The content does not match the file name extension.',
    remedy: 'Check that this is the right file. Change the extension to match the content if you can.',
  },
  control_characters: {
    class: 'notice',
    message: 'The text contains NUL or other control characters.',
    remedy: 'Nothing to do. Some programs may not show all of it.',
  },
  executable_content: {
    class: 'danger',
    message: 'The file is a program, contains one, or has the extension of one.',
    remedy: 'Remove programs. To prove that one exists, upload its hash in a text file.',
  },
  script_content: {
    class: 'notice',
    message: 'The file is a script or source code.',
    remedy: 'Nothing to do. Reviewers should not run it.',
  },
  macros: {
    class: 'damage',
    message: 'The Office file contains macros.',
    remedy: 'Save it without macros (DOCX, XLSX, PPTX, ODT or ODS) or as PDF.',
  },
  encrypted_archive: {
    class: 'damage',
    message: 'This file in the archive is encrypted.',
    remedy: 'Pack the files again without a password.',
  },
  encrypted_pdf: {
    class: 'damage',
    message: 'The PDF needs a password.',
    remedy: 'Save it without a password.',
  },
  encrypted_office: {
    class: 'damage',
    message: 'The Office file is password-protected.',
    remedy: 'Save it without a password.',
  },
  unreadable_archive: {
    class: 'danger',
    message: 'The archive is damaged or ambiguous: different programs could read different content from it.',
    remedy: 'Pack the files again with a current version of a common tool.',
  },
  irregular_archive: {
    class: 'damage',
    message: 'The archive is not well-formed, but common programs read the same files from it.',
    remedy: 'Pack the files again. What programs skip in it is not examined and not part of the kit.',
  },
  archive_method: {
    class: 'damage',
    message: 'The archive uses a compression method that is not widely supported.',
    remedy: 'Pack the files again with deflate, the default in most tools.',
  },
  ...NAME_RULES,
  link: {
    class: 'danger',
    message: 'The entry is a link, not a file.',
    remedy: 'Pack the file that it points to instead.',
  },
  special_file: {
    class: 'danger',
    message: 'The entry is neither a file nor a folder.',
    remedy: 'Leave it out.',
  },
  too_many_entries: {
    class: 'danger',
    message: 'The submission contains too many files.',
    remedy: 'Split it into several submissions.',
  },
  too_large_unpacked: {
    class: 'danger',
    message: 'The submission is too large when unpacked.',
    remedy: 'Split it into several submissions.',
  },
  archive_ratio: {
    class: 'danger',
    message: 'The archive unpacks to far more than its size, like a zip bomb.',
    remedy: 'Upload the files unpacked, or leave them out.',
  },
  nested_too_deep: {
    class: 'danger',
    message: 'Archives or documents are nested too deeply.',
    remedy: 'Unpack the inner ones.',
  },
  xml_entities: {
    class: 'danger',
    message: 'The XML declares its own entities, which not every program expands in the same way.',
    remedy: 'Export it without entity declarations.',
  },
  malformed_pdf: {
    class: 'damage',
    message: 'The PDF is damaged or truncated.',
    remedy: 'Open it, save it again, and upload the new file.',
  },
  malformed_office: {
    class: 'damage',
    message: 'The Office file is damaged.',
    remedy: 'Open it, save it again, and upload the new file.',
  },
  malformed_gzip: {
    class: 'damage',
    message: 'The gzip file is damaged, so its content was not examined.',
    remedy: 'Pack it again, or upload it unpacked.',
  },
  malformed_image: {
    class: 'damage',
    message: 'The image is damaged or truncated.',
    remedy: 'Export the image again.',
  },
  active_content: {
    class: 'notice',
    message: 'The file contains scripts, links or objects that act when it is opened.',
    remedy: 'Nothing to do. Reviewers should not open it in a browser or allow it to run anything.',
  },
  appended_content: {
    class: 'danger',
    message: 'Another file is appended to this one, and some programs open that file instead.',
    remedy: 'Save the file again without it, and upload the other file separately.',
  },
  private_key: {
    class: 'danger',
    message: 'The file contains a private key.',
    remedy: 'Remove it. If it was ever sent to someone, replace the key.',
  },
  possible_secret: {
    class: 'secret',
    message: 'The file may contain a secret.',
    remedy:
      'Check it. If it is a real secret, remove it from the file, and revoke it if it was sent to someone. Otherwise acknowledge it.',
  },
  ...KIT_RULES,
  test_virus: {
    class: 'danger',
    message: 'The file contains the EICAR antivirus test string.',
    remedy: 'Leave it out.',
  },
  virus_found: {
    class: 'danger',
    message: 'The virus scanner found malware.',
    remedy: 'Leave the file out, and have the computer it comes from checked.',
  },
  scan_failed: {
    class: 'danger',
    message: 'The virus scanner could not scan the file.',
    remedy: 'Submit again later. If it keeps failing, contact the operator of the service.',
  },
  checksum_mismatch: {
    class: 'damage',
    message: 'The file does not match its checksum in the evidence.',
    remedy: 'Upload the right file, or create the checksums again.',
  },
  checksum_file_missing: {
    class: 'damage',
    message: 'A checksum list in the evidence names a file that is missing.',
    remedy: 'Upload the file, or create the checksums again.',
  },
  checksum_list_malformed: {
    class: 'notice',
    message: 'The checksum list cannot be read.',
    remedy: 'Nothing to do if it is meant to be like this. Otherwise create it again with `sha256sum`.',
  },
  ...PROFILE_RULES,
  more_findings: {
    class: 'notice',
    message: 'There are more findings than are listed.',
    remedy: 'Nothing to do. Split the submission to see all of them.',
  },
  more_blockers: {
    class: 'danger',
    message: 'There are more blockers than are listed.',
    remedy: 'Fix these first and submit again.',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleCode = keyof typeof RULES

/** A broken rule, before it is attached to a path. */
export interface Finding {
  readonly code: RuleCode
  readonly detail?: string | undefined
}
