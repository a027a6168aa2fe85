/**
 * Everything that is looked for in evidence, one row a rule. `says` is true of every file that the rule blocks; what
 * was seen in the one at hand is added to it.
 */
export interface Rule {
  readonly says: string
  readonly remedy: string
}

export const RULES = {
  empty_submission: {
    says: 'No file was supplied.',
    remedy: 'Upload at least one file.',
  },
  empty_file: {
    says: 'The file is empty: it holds no bytes, so it is evidence of nothing.',
    remedy: 'Supply the file with its content, or leave it out.',
  },
  empty_archive: {
    says: 'The archive holds no file.',
    remedy: 'Pack the files again and look into the archive before you send it.',
  },
  unsupported_type: {
    says: 'Files of this type are not accepted.',
    remedy:
      'Supply it as one of: ZIP, PDF, DOCX, XLSX, PPTX, ODT, ODS, PNG, JPEG, TIFF, CSV, TSV, TXT, LOG, MD, JSON, NDJSON, XML, YAML, EML, HTML.',
  },
  type_mismatch: {
    says: "The content is not what the name's ending says.",
    remedy:
      'Give the file the ending that belongs to its content, or supply the file that the name promises.',
  },
  legacy_office: {
    says: 'Office files of the old binary kind are not accepted.',
    remedy: 'Save it as DOCX, XLSX, PPTX or PDF and supply that.',
  },
  executable_content: {
    says: 'The file is a program, brings one along, or is named like one.',
    remedy: 'Leave programs out. To show that one exists, supply its hash in a text file.',
  },
  script_content: {
    says: 'The file is a script.',
    remedy: 'Leave scripts out, or supply a listing of it as a PDF.',
  },
  macros: {
    says: 'The office file holds macros.',
    remedy: 'Save it without macros (DOCX, XLSX, PPTX, ODT or ODS) or as PDF.',
  },
  encrypted_archive: {
    says: 'The file in the archive is encrypted.',
    remedy: 'Pack the files again without a password.',
  },
  encrypted_pdf: {
    says: 'The PDF is encrypted.',
    remedy: 'Save it without a password and without restrictions on printing or copying.',
  },
  encrypted_office: {
    says: 'The office file is protected by a password.',
    remedy: 'Save it without a password.',
  },
  unreadable_archive: {
    says: 'The archive is broken, or different programs would read it in different ways.',
    remedy: 'Pack the files again with a current version of a common tool.',
  },
  archive_method: {
    says: 'The archive uses a compression method that not every program can read.',
    remedy: 'Pack the files again with the usual method, deflate.',
  },
  name_traversal: {
    says: 'The name leads out of the folder that it is in.',
    remedy: 'Pack the files from inside their folder, so that no name holds "..".',
  },
  name_absolute: {
    says: 'The name is an absolute path.',
    remedy: 'Pack the files with relative names.',
  },
  name_backslash: {
    says: 'The name holds a backslash, which is a separator on one system and a letter on another.',
    remedy:
      'Pack the files again with "/" between folders: the Explorer of Windows, 7-Zip and PowerShell 7 do that; older versions of Compress-Archive and .NET do not.',
  },
  name_not_unicode: {
    says: 'The name cannot be read for certain.',
    remedy: 'Pack the files again with a tool that writes UTF-8 names, or rename them to plain letters.',
  },
  name_forbidden: {
    says: 'The name cannot be used on every system.',
    remedy:
      'Rename it: no control characters, no names that Windows reserves, no dot or space at the end of a part, at most 255 bytes a part and 1,024 in all.',
  },
  name_direction: {
    says: 'The name holds marks that do not show and turn the direction of writing, so that it reads as another name.',
    remedy: 'Rename it without these marks: type the name anew.',
  },
  name_collision: {
    says: 'The name is taken: another file has the same one, or one that some systems hold to be the same.',
    remedy: 'Rename one of the two.',
  },
  link: {
    says: 'The entry is a link, not a file.',
    remedy: 'Pack the file that it leads to in its place.',
  },
  special_file: {
    says: 'The entry is neither a file nor a folder.',
    remedy: 'Leave it out.',
  },
  too_many_entries: {
    says: 'The evidence holds more files than one submission may.',
    remedy: 'Split it over several submissions.',
  },
  too_large_unpacked: {
    says: 'Unpacked, the evidence is larger than one submission may be.',
    remedy: 'Split it over several submissions.',
  },
  archive_ratio: {
    says: 'The archive unpacks to far more than its size, as only an attack or a mistake does.',
    remedy: 'Supply the file unpacked, or leave it out.',
  },
  nested_too_deep: {
    says: 'Archives are packed into archives too many times.',
    remedy: 'Unpack the inner ones.',
  },
  malformed_json: {
    says: 'The file is not JSON.',
    remedy: 'Export it again, or supply it as TXT if it is not meant to be JSON.',
  },
  malformed_xml: {
    says: 'The file is not well-formed XML.',
    remedy: 'Export it again, or supply it as TXT if it is not meant to be XML.',
  },
  xml_entities: {
    says: 'The XML declares entities of its own, which programs expand in different ways or not at all.',
    remedy: 'Export it without entity declarations.',
  },
  malformed_csv: {
    says: 'The table breaks off.',
    remedy: 'Export it again.',
  },
  malformed_yaml: {
    says: 'The file is not YAML.',
    remedy: 'Correct it, or supply it as TXT if it is not meant to be YAML.',
  },
  malformed_eml: {
    says: 'The file is not an e-mail message.',
    remedy: 'Save the message again as EML, with its headers.',
  },
  malformed_pdf: {
    says: 'The PDF is damaged or cut off.',
    remedy: 'Open it, save it again, and supply the new file.',
  },
  malformed_office: {
    says: 'The office file is damaged.',
    remedy: 'Open it, save it again, and supply the new file.',
  },
  malformed_image: {
    says: 'The image is damaged or cut off.',
    remedy: 'Export the image again.',
  },
  appended_content: {
    says: 'Another file is appended to the file, and some programs see that one.',
    remedy: 'Save or export the file again without it, and supply the other one by itself.',
  },
  test_virus: {
    says: 'The file holds the EICAR test string, which stands for a virus.',
    remedy: 'Leave it out.',
  },
  virus_found: {
    says: 'The virus scanner found something.',
    remedy: 'Leave the file out, and have the machine that it comes from looked at.',
  },
  scan_failed: {
    says: 'The virus scanner could not examine the file, so it is not accepted.',
    remedy: 'Submit again later. If it goes on, tell the operator of the service.',
  },
  checksum_mismatch: {
    says: 'The file is not the one that the checksums in the evidence name.',
    remedy: 'Supply the right file, or make the checksums again.',
  },
  checksum_file_missing: {
    says: 'The checksums in the evidence name a file that is not there.',
    remedy: 'Supply the file, or make the checksums again.',
  },
  checksum_list_malformed: {
    says: 'The list of checksums cannot be read.',
    remedy: 'Make it again with `sha256sum`.',
  },
  profile_item_missing: {
    says: 'The profile asks for something that the evidence does not hold.',
    remedy: 'Add what is asked for, under a path that the profile names.',
  },
  profile_item_too_old: {
    says: 'The evidence for an item of the profile is older than the profile allows.',
    remedy: 'Supply a newer export, and name its date in the file name as YYYY-MM-DD.',
  },
  profile_item_undated: {
    says: 'The profile limits the age of an item, and no matching file has a date in its name.',
    remedy: 'Put the date that the evidence is of into the file name, as YYYY-MM-DD.',
  },
  more_blockers: {
    says: 'There are more blockers than are listed.',
    remedy: 'Mend these first and submit again.',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleCode = keyof typeof RULES

/** What stands between the evidence and its kit. */
export interface Blocker {
  readonly code: RuleCode
  /**
   * As the sender knows it: the name of the supplied file, and for what is in an archive the path in it behind that; null
   * where it is about the submission as a whole.
   */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
}

/** A rule that was broken, and by what, before it is known where. */
export interface Finding {
  readonly code: RuleCode
  readonly seen?: string | undefined
}

export function blocker(path: string | null, { code, seen }: Finding): Blocker {
  const { says, remedy } = RULES[code]
  return {
    code,
    path: path === null ? null : showable(path),
    message: seen === undefined ? says : `${says} ${sentence(showable(seen))}`,
    remedy,
  }
}

/** Names come from strangers: what is shown holds nothing that does not show, and has an end. */
export function showable(text: string): string {
  const cut = text.length > 1200 ? `${text.slice(0, 1200)}…` : text
  return cut
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
