/** The words of every verifier and of the binder. The English ones are also in reports. */
export const en = {
  boundary: 'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.',
  /** DATE stands for the date of the revocation, KEY for where the key is from. */
  verdicts: {
    verified: {
      heading: 'Verified',
      advice: 'The files are unchanged, and the receipt is signed with KEY.',
    },
    sender_unconfirmed: {
      heading: 'Files intact. Sender not confirmed yet.',
      advice:
        "Anyone can make a kit that names this issuer. Get the issuer's key set from a website that you know is the issuer's, or compare the key ID with one that you received another way.",
    },
    signer_unknown: {
      heading: 'Not signed by the issuer it names',
      advice:
        'The issuer may have a new key, or someone else made this kit. Compare the keys of the issuer, at an address that you already know: kitseal trust add ISSUER',
    },
    key_revoked: {
      heading: 'Signing key revoked on DATE',
      advice: 'Do not rely on it. Ask the supplier for a re-issued kit, which is signed with a current key.',
    },
    altered: {
      heading: 'Altered since it was issued',
      advice: 'Do not rely on it. Ask the issuer for the original.',
    },
    unreadable: {
      heading: 'Not a readable kit',
      advice: 'Check that you have the complete file, then ask the sender to send it again.',
    },
  },
  /** Where the date is not known. */
  keyRevoked: 'Signing key revoked',
  /** The key is the issuer's, but the log does not confirm that the issuer used it. */
  notLogged:
    "The signature is the issuer's, but the log proof or its time does not meet your policy. Ask the issuer for a newer log proof, and whether it issued this kit.",
  /** In place of KEY. */
  keys: {
    kit: 'the key from the kit itself, so anyone could have made it',
    none: 'a key that is not confirmed',
    given: 'the key you gave',
    pinned: 'the key you pinned',
    pinnedOn: 'the key you pinned on {day}',
    notCompared: 'the key that {host} publishes today; not compared before',
    confirmed: 'the key that {host} publishes today; you confirmed it on {day}',
    firstUse: 'the key that {host} publishes today; the same as at your first use on {day}',
    site: 'the key that this site, {host}, publishes',
  },
  /** What the name of a workspace rests on, after the name. */
  names: {
    named: 'named in the kit',
    operator: "confirmed by {host}'s operator",
    own: 'as the workspace calls itself',
  },
  anonymous: "Anonymous caller. The name is the caller's own text. No files were supplied.",
  byLink: 'Someone with the link of a request (not verified)',
  checks: {
    kit_reads_in_one_way: 'The archive is well-formed and unambiguous',
    files_match_manifest: 'Every file in the manifest is present and unchanged',
    nothing_was_added: 'The kit contains no files that the manifest does not list',
    manifest_matches_receipt: 'The manifest matches the receipt',
    receipt_is_whole: 'The receipt is well-formed and matches its own hash',
    envelope_agrees: 'The receipt, signature and key set files are consistent',
    key_id_matches_public_key: "The receipt's key ID matches a public key",
    key_was_alive: 'The signing key was active when the receipt was issued',
    signature_verifies: "The receipt's Ed25519 signature is valid",
    signer_is_trusted: 'The signing key is known from outside the kit',
    receipt_is_logged: 'The receipt is in a log whose key is known from outside the kit',
    log_is_witnessed: 'The log and its witnesses meet your policy',
    time_is_confirmed: 'Witnesses or a time-stamp confirm the time of the receipt',
    file_matches_proof: 'The file belongs to the kit that the receipt was issued for',
  },
  provenance: {
    headings: {
      verified: 'Verified by {host}',
      unconfirmed: 'Named in the kit, not confirmed',
      supplier: 'Stated by the supplier, not verified',
      files: 'Stated by the files, not verified',
    },
    allFiles: 'All files',
    andMore: '{first} and {more} more',
    ciRun: 'CI run',
    ciRunOf: 'CI run of {repository}',
    workflow: 'workflow {name}',
    run: 'run {run}',
    attempt: 'run {run}, attempt {attempt}',
    commit: 'commit {commit}',
    token: 'token of {issuer}',
    uploaded: 'uploaded {time}',
    routes: {
      browser: 'in the browser',
      api: 'through the API',
      request_link: 'through the link of a request',
    },
    resumable: '{route} (resumable)',
    key: 'key {name}',
    member: 'member {id}',
    link: 'link {id}',
    byService: 'written by the service {time}',
    confirmedAddress: 'sent by {address}, confirmed {time}',
    sentBy: 'sent by {name}',
    uploadedWith: 'uploaded with {program}',
    collectedWith: 'collected with {program}',
    command: 'command {command}',
    collected: 'collected {time}',
    period: 'period {from} to {to}',
    system: 'system {system}',
    query: 'query {query}',
  },
}

export type KitTexts = typeof en
