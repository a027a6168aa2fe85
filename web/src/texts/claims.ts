/**
 * Every sentence of state that a page or a mail can show: a claim, which must not be false. Texts are named by their path in
 * the texts of the pages, in `kit.` (kit/src/verdicts.ts, provenance-text.ts) or in `mail.` (server/src/deliveries/mail-templates.ts); `*` stands
 * for the rest of a name, `**` for all names below. test/architecture/claims.test.ts holds that none is missing.
 */
export type Claim = readonly [
  texts: string | readonly string[],
  shown: string,
  /** What it is derived from. */
  fact: string,
  /** The test that makes the fact false and looks: `file › name of the test`. */
  test: string,
]

// One row per line
// oxfmt-ignore
export const CLAIMS: readonly Claim[] = [
  // Kits and their verification
  ['kit.verified.*', 'every verifier', 'verdict of verifyKit: every check holds, and the key is the reader’s, or published at the origin of the issuer', 'web/test/1 › an unmodified service that calls itself a bank confirms no kit of the bank on its pages'],
  ['kit.sender_unconfirmed.*', 'every verifier', 'intact, and no key that is not from the kit or from another site', 'kit/src/verify.test.ts › with the keys of the kit, only integrity is checked, and the result is never PASS'],
  ['kit.signer_unknown.*', 'every verifier', 'the reader’s keys of the issuer do not include the signer', 'web/test/1 › a kit that names this service and is not signed by it is called forged'],
  [['kit.key_revoked.*', 'share.keyRevoked*', 'home.keys.statuses.revoked'], 'every verifier, share page, home page', 'the key is among revoked_keys of the key set', 'web/test/1 › an altered kit and a revoked key are reported, and nothing on the page is green'],
  ['kit.altered.*', 'every verifier', 'a check of integrity failed', 'web/test/1 › a kit with one changed byte fails, and the file is named'],
  ['kit.unreadable.*', 'every verifier', 'no kit could be parsed', 'web/test/1 › a file that is not a kit is rejected with what to choose'],
  ['console.new.provenance.hint', 'new submission', 'the entry has the source supplier, which is never verified', 'server/src/submissions/provenance.test.ts › what the supplier states is sealed as stated, and that of a file replaces that of the submission'],
  ['kit.provenance.*', 'every verifier, binder, share page, submission', 'source and statement of each entry in reports/provenance.json, and the verdict on the kit', 'kit/src/provenance.test.ts › nothing of a kit that is not verified is called verified'],
  [['share.filesVerified*', 'share.notYet'], 'share page, single files', 'each file was hashed and its proof leads to a root signed with the issuer’s key', 'web/test/1 › an altered kit and a revoked key are reported, and nothing on the page is green'],
  [['verify.lead', 'verify.named.lead'], 'verifier', 'the page sends no file', 'web/test/1 › a dropped kit.zip passes, and only the worker script is requested'],
  [['verify.stopped', 'verify.failed'], 'verifier', 'the worker ended without a result', 'web/test/1 › verification can be stopped with the keyboard'],
  ['verify.oldBrowser', 'verifier', 'the browser cannot verify Ed25519', 'web/test/1 › a browser without Ed25519 is told so'],
  ['verify.named.agree', 'page of a kit', 'the signature of the receipt was verified with the keys of this site, which is the issuer', 'web/test/1 › an unmodified service that calls itself a bank confirms no kit of the bank on its pages'],
  [['verify.named.unknown', 'verify.named.invalid'], 'page of a kit', 'no public receipt, or no kit ID in the URL', 'web/test/1 › without a public receipt, a copy is still compared with the kit ID'],
  [['verify.named.erased*', 'share.erased*', 'console.custody.erased*', 'console.submission.kit.expired', 'console.submission.kit.expiredWord'], 'page of a kit, share page, submission', 'the kit has an erasure record, and its objects are gone', 'server/test/custody.test.ts › deletion on request erases the evidence, and keeps manifest, receipt, proof and a signed record'],
  ['home.keys.statuses.retired', 'home page', 'the end of the key, and receipts issued before it', 'kit/src/verify.test.ts › a receipt issued before its key was created or after it was retired fails'],
  ['home.keys.statuses.active', 'home page', 'the state of the signing key', 'server/src/keys/signing-keys.test.ts › a revoked key leaves the key set, and an active one is replaced immediately'],
  ['home.provesList.*', 'home page', 'the checks of verifyKit', 'kit/src/verify.test.ts › every failure is listed, not only the first'],
  [['log.signed', 'log.unsigned', 'log.notSigned'], 'log page', 'the checkpoint was verified with the key of the log, in the browser', 'web/test/1 › a checkpoint that the log did not sign is not called valid'],
  [['log.frozen', 'console.frozen.*'], 'log page, console', 'the log is frozen', 'web/test/1 › while the log is frozen, everyone reads why no kits are issued'],
  [['console.compare.same', 'console.compare.counts'], 'comparison', 'the hashes of both manifests', 'kit/src/compare-kits.test.ts › files are added, removed, changed, moved or unchanged'],
  ['preview.fileSays', 'submission, share page', 'what the recogniser of a known format read from the file alone', 'server/src/sharing/recognised-output.test.ts › a kit and its shares say beside a file what it says about itself, and nothing beside a damaged one'],
  ['console.submission.kit.log.none', 'submission', 'no cosignature in the newest proof', 'server/src/log/witnesses.test.ts › with best effort, witnesses that hang, lie or send garbage hold up no kit, and none of it is in a proof'],

  // Links that people without an account open
  [['outside.titles.expired', 'outside.titles.revoked'], 'share page, request page', 'end and revocation of the link', 'server/src/sharing/shares.test.ts › a link works until it expires or is revoked, on every node, and never again'],
  ['outside.titles.not_found', 'share page, request page', 'the token is unknown', 'web/test/1 › a link that is not valid says so'],
  [['outside.titles.closed', 'request.outcome.closed*', 'console.requests.statuses.closed', 'console.requests.close.text'], 'request page, requests', 'the request is closed', 'server/src/sharing/requests.test.ts › a closed request can be read, and not changed'],
  [['room.verify.*', 'room.sentence.waiting', 'room.sentence.verified', 'room.sentence.failed', 'room.sentence.notProved', 'room.sentence.compared', 'room.sentence.notCompared'], 'room page', 'the verdict on each kit, verified in this browser, and where its key is from; nothing until then', 'web/test/1 › a kit that is altered in the store is named with FAIL, and nothing says that all are verified'],
  [['room.sentence.sealed', 'room.sentence.erased'], 'room page', 'issuer, supplier and time in the receipt and report of the kit; its erasure record', 'server/src/sharing/rooms.test.ts › a kit whose evidence is deleted is named as that, and the others stay'],
  [['room.nameHint', 'room.as', 'room.comments.notVerified'], 'room page, room', 'whether the link was made for an address', 'web/test/1 › a kit that is altered in the store is named with FAIL, and nothing says that all are verified'],
  [['room.review.by', 'room.review.own', 'console.rooms.notReviewed'], 'room page, room', 'the marks of reviewers, which are their statements', 'server/src/sharing/rooms.test.ts › a review is the statement of its reviewer, and only they take it back'],
  [['room.comments.states.*', 'console.rooms.questions', 'console.rooms.noQuestions'], 'room page, room, shares', 'the state of a question, from its replies', 'server/src/sharing/rooms.test.ts › a question is answered by the other side, opened again by its own, and resolved'],
  [['room.comments.erased', 'room.comments.eraseText'], 'room page, room', 'text and author are not stored any more', 'server/src/sharing/rooms.test.ts › an erased comment leaves its ID and SHA-256, and the audit log never had its text or author'],
  [['room.visible', 'console.rooms.boundary', 'console.rooms.created', 'console.rooms.ofSeries', 'console.rooms.wholeSeries'], 'room page, room dialog, room', 'the links and the kits of the room', 'server/src/sharing/rooms.test.ts › the room of a series has the kits that come while it is open'],
  ['share.password.lead', 'share page', 'the share has a password', 'server/src/sharing/shares.test.ts › a password is needed for everything, is limited in tries, and is not stored'],
  [['request.statuses.accepted', 'request.outcome.accepted*', 'request.outcome.settled', 'console.requests.statuses.accepted', 'console.requests.accepted', 'console.requests.itemStatuses.accepted', 'console.requests.groups.done', 'console.requests.left'], 'request page, requests', 'every item is accepted with files, or not applicable', 'server/src/sharing/review-items.test.ts › nothing without a file is accepted, and accepting all leaves such items'],
  [['request.statuses.*', 'console.requests.itemStatuses.*', 'console.requests.progress', 'console.requests.collected', 'console.requests.notApplicableCount'], 'request page, requests', 'the status of each item, from one query', 'server/src/sharing/review-items.test.ts › a review ends when other files are submitted'],
  [['request.notApplicableBy', 'request.forms.notApplicable.hint', 'console.requests.writing.not_applicable.hint'], 'request page, requests', 'a reason is stored, and sealed', 'server/src/sharing/review-items.test.ts › not applicable needs a reason, by either side, and is sealed'],
  [['request.changes.*', 'request.removed'], 'request page, request', 'the files of this round and of the submitted one before', 'server/src/sharing/review-items.test.ts › what the requester has decided is locked, and the next round says what changed'],
  [['request.outcome.submitted', 'console.requests.statuses.submitted', 'request.kit.text'], 'request page, requests', 'the round has a kit', 'server/src/sharing/requests.test.ts › a reopened item starts a new round with the files of the one before'],
  [['request.sender.confirmed', 'request.sender.seal*', 'request.sender.nameHint', 'console.requests.sender.*'], 'request page, request', 'the entries about the person who submitted in the provenance report', 'server/src/sharing/supplier-sender.test.ts › a name is sealed as stated; an address only if it was confirmed and its owner agreed'],
  [['request.sender.mailed.*', 'request.sender.addressHint', 'request.sender.open'], 'request page', 'the delivery queue, and a mail server that is set', 'server/src/sharing/supplier-sender.test.ts › an address that wants no mail is not said to get one'],
  [['request.sender.copy', 'mail.copy.**'], 'request page, mail', 'the kit was issued, and what was attached', 'server/src/sharing/supplier-copy.test.ts › a copy is mailed once, when the kit is sealed, with the receipt and a kit that is small'],
  [['request.outcome.changing*', 'request.outcome.submittedText'], 'request page', 'a draft after a submitted round, which the requester does not see', 'server/src/sharing/review-items.test.ts › a supplier adds and corrects files after submitting, until the requester has decided'],
  [['request.outcome.failed*', 'request.outcome.damagedText'], 'request page', 'the round failed, and the draft has its files', 'server/src/sharing/requests.test.ts › a failed round can be corrected'],
  ['request.outcome.reopenedText', 'request page', 'accepted items are locked', 'server/src/sharing/review-items.test.ts › what the requester has decided is locked, and the next round says what changed'],
  [['request.notSent', 'request.held', 'request.failed', 'request.howTo'], 'request page', 'the file has a blocker or the upload failed, so nothing is stored', 'web/test/1 › from the link to a verified kit, over two visits and two rounds'],
  ['request.problems.*', 'request page', 'the error of the service', 'server/src/sharing/requests.test.ts › uploads of a request count against the credits and the limit of the requester'],

  // Programs
  [['console.programs.statuses.*', 'console.programs.accepted', 'console.programs.acceptedLabel', 'console.programs.seal.complete', 'console.programs.seal.notAccepted'], 'programs, board', 'the status of each item in the period, from its files and its review', 'server/src/sharing/programs.test.ts › files give an item its status, and a review ends when they change'],
  ['console.programs.nothingDue', 'programs', 'no item of the newest period waits for files', 'server/src/sharing/programs.test.ts › programs are listed with their newest period and what is late'],
  [['console.programs.board.periods.*', 'console.programs.cell.locked', 'console.programs.sealing', 'console.programs.seal.text'], 'board', 'the state of the submission of the period', 'web/test/1 › sealing names what is missing and not accepted, and leads to the kit'],
  ['console.programs.failed', 'board', 'the submission of the period failed, and its files are in a draft again', 'server/src/sharing/programs.test.ts › a period whose files fail is open again with them, and can be corrected and sealed'],
  ['console.programs.seal.noFiles', 'board', 'no cell of the period has a file', 'web/test/1 › in the next period, the same bytes are named, under the same name and under another'],
  ['console.programs.board.noPeriods.byHand', 'board', 'the program has no period, and none opens by itself', 'server/src/sharing/programs.test.ts › a program that starts later has no period yet, and one without a cadence opens periods on request'],
  ['console.programs.end.text', 'board', 'the program is ended', 'server/src/sharing/programs.test.ts › periods open when they start, once on any number of nodes, and missed ones are skipped'],
  ['console.programs.cell.writing.not_applicable.hint', 'board', 'the reason is in reports/program.json', 'server/src/sharing/programs.test.ts › a sealed period is a kit of the series with the files of members and suppliers, and a report of what is missing'],
  [['console.programs.cell.same*', 'console.programs.board.sameFiles*'], 'board', 'equal SHA-256 of a file of the period before', 'web/test/1 › in the next period, the same bytes are named, under the same name and under another'],

  // Submissions
  [['console.new.check.good*', 'console.new.check.bad'], 'new submission', 'the check of all chosen files found nothing that blocks, and no secret that is not acknowledged', 'web/test/1 › a secret stops a submission until it is acknowledged, and the share dialog names it'],
  [['console.new.lead', 'console.new.dropHint', 'console.overview.first.steps.0.text'], 'new submission', 'nothing is sent before Submit', 'web/test/1 › evidence is checked in the browser before upload'],
  [['console.new.sent', 'console.new.sentOf', 'console.new.stopped', 'console.submission.draft.unfinished.progress', 'problem.crashed'], 'new submission, draft', 'the answer of the service to each upload', 'web/test/1 › an interrupted upload resumes with the failed file'],
  ['console.new.leave.text', 'new submission', 'files were chosen and not submitted', 'web/test/1 › leaving with files that are not submitted asks first, by link and by going back'],
  [['console.new.submitAnywayHint', 'console.new.costs', 'console.submission.fail.*', 'console.credits.lead'], 'new submission, submission, credits', 'the ledger: a failed submission releases its credit', 'server/src/submissions/submissions.test.ts › a failed submission lists every blocker and costs no credit'],
  ['console.new.accept.files.text', 'new submission', 'the class danger cannot be accepted', 'server/src/submissions/submissions.test.ts › a danger cannot be accepted, neither when the submission is created nor with the upload'],
  [['console.findings.secretsAccepted', 'console.findings.problemsAccepted'], 'submission', 'findings that are acknowledged', 'web/test/1 › a secret stops a submission until it is acknowledged, and the share dialog names it'],
  [['console.checklist.states.*', 'console.checklist.suggestion'], 'new submission', 'files that a person put there or confirmed satisfy the profile', 'examiner/src/profile.test.ts › a file whose name matches is a suggestion until a person confirms it'],
  [['console.stages.*', 'console.list.statuses.*', 'console.list.reissued'], 'submissions', 'status of the submission, and its replacement', 'web/test/1 › a submission with blockers fails, and the page shows the remedies without a reload'],
  ['console.submission.kit.sentence', 'submission', 'the job is ISSUED and the key is not revoked', 'web/test/1 › owners see which kits no longer verify, and re-issue one or all of them'],
  ['console.submission.waiting.**', 'submission', 'the job is queued or leased', 'web/test/1 › a change before the event stream connects is shown'],
  [['console.submission.draft.title', 'console.submission.draft.withFiles', 'console.submission.draft.there'], 'draft', 'evidence of the submission, and it is not sealed', 'web/test/1 › uploaded files are not uploaded or counted twice'],
  [['console.submission.draft.delete.text', 'console.list.bulk.removeText', 'console.custody.dialogs.delete.text'], 'draft, submissions', 'a draft goes with its files, a kit keeps manifest and receipt', 'server/test/custody.test.ts › drafts and failed submissions can be deleted, running ones cannot, and no credit is charged'],
  ['console.custody.lead*', 'submission', 'a hold that is not released', 'server/test/custody.test.ts › a legal hold beats retention and deletion until it is released'],
  [['console.reissue.banner.*', 'console.reissue.kit.*'], 'submissions', 'the key of the kit is revoked, and whether a replacement exists', 'web/test/1 › owners see which kits no longer verify, and re-issue one or all of them'],

  // Records of what happened
  [['console.audit.actions.**', 'console.timeline.**'], 'audit log, timeline', 'one event for each, written with what it records', 'server/src/submissions/submissions-credits.test.ts › the audit log has no gaps, names the key of each change, and contains no evidence'],
  ['console.audit.lead', 'audit log', 'the chain of hashes', 'kit/src/audit/verify-audit-log.test.ts › events that were rewritten with new hashes do not lead to the logged head'],

  [['console.settings.name.namedBy.*', 'console.settings.name.unconfirms'], 'workspace settings', 'named_by of the workspace', 'web/test/1 › an owner names the workspace, and the page says who confirms the name'],
  ['console.account.person.emailHint', 'account', 'members change their address themselves', 'server/src/access/console-roles.test.ts › members change their own name and address, but not to that of another member'],
  ['console.submission.kit.unpacked', 'submission', 'uploaded files, and files of the kit in data/', 'web/test/1 › archives are unpacked into folders, and the page says how many files that makes'],
  // Overview, requests and shares in the console
  [['console.overview.nothing', 'console.overview.waiting.*', 'console.overview.toReview'], 'overview', 'GET /v1/overview: everything that waits', 'server/src/sharing/overview.test.ts › the overview lists everything that waits for a person'],
  [['console.requests.form.import*', 'console.requests.overdue'], 'requests', 'the imported list; due date and status', 'server/src/sharing/requests.test.ts › requests are listed by status, and changed'],
  ['console.requests.revoke.text', 'request', 'revocation of its links', 'server/src/sharing/requests.test.ts › links stop working when they expire or are revoked'],
  ['console.requests.replace.text', 'request', 'revocation of its links', 'server/src/sharing/requests.test.ts › a link is replaced only on request, and then earlier ones stop working'],
  [['console.requests.mails.*', 'console.requests.form.ready'], 'request', 'the delivery queue: the state of the mail to each recipient', 'server/src/sharing/request-mail.test.ts › a request says for each recipient whether the mail is queued, sent or failed, and why'],
  [['console.requests.mails.off', 'console.requests.form.recipientsOff'], 'requests', 'no mail server is set', 'server/src/sharing/requests.test.ts › without a mail server nobody is reminded, nothing is recorded, and links stay as they are'],
  [['console.shares.created', 'console.shares.copied', 'console.shares.once', 'copy.*'], 'share dialog, every copy button', 'the share was created; the clipboard took it', 'web/test/1 › a visible message says if the browser blocks copying'],
  [['console.shares.mails.*', 'console.shares.willMail'], 'share dialog, links of a share', 'the delivery of the mail with the newest link', 'server/src/sharing/share-mail.test.ts › a mail is queued, sent or failed with the reason, for each recipient'],
  [['console.shares.noMail', 'console.shares.links.noMail', 'console.shares.forAnyone*'], 'share dialog, links of a share', 'the service has a mail server; the share has recipients or a password', 'web/test/1 › one recipient gets one link, and it is the one that is shown and copied; no mail is said before'],
  [['console.shares.links.lead', 'outside.titles.replaced'], 'links of a share, share page', 'the former link of the recipient is revoked', 'server/src/sharing/share-mail.test.ts › a lost link is replaced for its recipient alone, and one recipient is revoked'],
  [['console.shares.limitHint', 'outside.titles.exhausted', 'share.exhausted'], 'share dialog, share page', 'counted visits', 'server/src/sharing/shares.test.ts › a visit counts once, whichever way it reads, and when the limit is reached no other visit reads anything'],
  [['console.shares.statuses.*', 'console.shares.until', 'console.shares.none.title', 'console.shares.revoke.text'], 'shares', 'end, revocation and downloads of the share', 'server/src/sharing/shares.test.ts › a link works until it expires or is revoked, on every node, and never again'],

  // Access
  ['console.keys.statuses.*', 'API keys', 'end and revocation of the key', 'web/test/1 › an API key can be created, rotated and revoked'],
  [['console.keys.revoke.text', 'console.federations.ends'], 'API keys', 'a key and a federation end with the key that made them', 'server/src/access/makers.test.ts › revoking a key ends the keys that it made, and those that these made'],
  ['console.keys.extend.text', 'API keys', 'the person who extends a key is its maker from then on', 'server/src/access/makers.test.ts › a person can extend a key or a federation, which then no longer ends with its maker'],
  [['console.invite.expires', 'console.invite.invalidHint', 'console.members.invite.madeText', 'mail.invitation.after.*'], 'invitation, members, mail', 'one use and end of the invitation', 'server/src/access/console-sign-in.test.ts › an invitation works once, expires, and is replaced by a newer one'],
  [['console.invite.sso', 'console.choose.linked', 'console.choose.lead'], 'invitation, choice of a workspace', 'single sign-on has proved the address; a link opened the membership before', 'server/src/access/single-sign-on.test.ts › a person who proves an address is alone in the membership that a link opened before'],
  [['console.signIn.oidcProblems.oidc_email_unverified'], 'sign-in', 'email_verified of the provider', 'server/src/access/console-oidc.test.ts › a stranger or an unverified address cannot sign in'],
  ['console.account.passkeys.none', 'account, banner', 'the account has no passkey', 'web/test/1 › a member without a passkey is reminded until they add one'],
  ['console.account.sessions.*', 'account', 'sessions that have not ended', 'server/src/access/console-sessions.test.ts › signing out ends one, other or all sessions at once'],
  [['console.members.remove.keepHint', 'console.members.remove.endHint', 'console.members.remove.invitations'], 'members', 'what ends with the member, and what was kept', 'server/src/access/leavers.test.ts › the keys and federations of a removed member end, and what these made, except those that are kept'],
  ['console.members.remove.*', 'members', 'removal ends the sessions of the member', 'web/test/1 › a removed member is signed out at once'],
  ['console.settings.publicKits.choices.**', 'workspace', 'public_kits', 'server/src/access/public-kits.test.ts › with public_kits ${setting}, strangers get what it says, and the workspace gets everything'],
  ['console.settings.saved', 'workspace', 'the service answered, and nothing was changed since', 'web/test/1 › a setting is called saved only while the service has it'],
  [['console.webhooks.statuses.*', 'console.webhooks.disabled.*', 'console.webhooks.failing.*', 'mail.webhook_disabled.**'], 'webhooks, mail', 'deliveries and their failures', 'server/src/deliveries/webhooks.test.ts › a failed event is sent again before the next one, and after three days the webhook is disabled with a mail'],
  [['console.webhooks.test.failed', 'console.webhooks.log.*', 'console.webhooks.remove.text'], 'webhook', 'the answers of the receiver', 'web/test/1 › an owner adds a webhook, tests it, sees what failed, and sends events again'],

  // Mail
  ['mail.period.**', 'mail', 'the period, and the items of the owner', 'server/src/sharing/program-mail.test.ts › owners are mailed what is theirs, once, and reminded before it is due; those without items are not'],
  ['mail.request.**', 'mail', 'the request and its link', 'server/src/sharing/request-mail.test.ts › the supplier is mailed the request, reminders and the review; the link in a mail works; the requester is mailed what was submitted'],
  ['mail.code.**', 'mail', 'the code, its end and its browser', 'server/src/sharing/supplier-sender.test.ts › a code is right in the browser that asked for it, and nowhere else'],
  ['mail.share.after.*', 'mail', 'a link for each recipient, with its end', 'server/src/sharing/share-mail.test.ts › each recipient is mailed a link of their own, and the access log tells who used theirs'],
  [['console.service.verdict.*', 'console.service.checks.**', 'console.service.storage.**', 'console.service.queue.**', 'console.service.keys.**', 'console.service.log.**', 'console.service.nodes.**'], 'page of operators', 'checks and facts of describeService, read from the database', 'server/src/service-status.test.ts › a backup, a frozen log and a failing mail server are shown until they are over'],
  ['console.service.mail.**', 'page of operators', 'the delivery of the newest test mail, and what the mail server said last', 'server/src/site/service-routes.test.ts › an operator sends a test mail to their own address, and reads what became of it'],
  [['console.service.workspaces.**', 'console.service.workspace.**', 'console.service.plans.**'], 'workspaces, for operators', 'the workspace, its plan, its members and its audit log', 'server/src/site/service-workspaces.test.ts › resetting passkeys signs the member out, mails the link to them alone, and is in the audit log'],
  ['mail.access_reset.**', 'mail', 'the reset of the member, in the transaction of the mail', 'server/src/site/service-workspaces.test.ts › resetting passkeys signs the member out, mails the link to them alone, and is in the audit log'],
  ['mail.test.**', 'mail', 'the mail itself', 'server/src/site/service-routes.test.ts › an operator sends a test mail to their own address, and reads what became of it'],
  ['mail.key_revocation.**', 'mail', 'the revocation and the kits that the key signed', 'server/src/deliveries/workspace-mail.test.ts › invitations are mailed with a link that works, and a revoked signing key is mailed to owners'],
]

/** Texts with a word of state that say nothing about the state of anything. */
export const NOT_CLAIMS = {
  label: [
    '**.columns.*',
    '**.facts.*',
    '**.filters.*',
    'share.checkingFiles',
    'console.keys.life',
    'console.keys.created',
    'console.keys.rotate.grace',
    'console.submission.kit.issued',
    'console.submission.kit.deliverables.**',
    'console.settings.publicKits.hint',
  ],
  heading: ['home.proves', 'home.provesNot'],
  action: ['console.secretDone', 'console.shares.done', 'mail.*.action'],
  explanation: [
    'home.lead',
    'home.steps.**',
    'home.provesNotList.*',
    'log.monitor.text',
    'console.overview.first.text',
    'console.webhooks.lead',
    'console.webhooks.none.text',
    'console.list.lead',
    'console.profiles.policy.*',
    'console.account.passkeys.remove.text',
    'console.settings.name.hint',
    'console.settings.pins.hint',
    'console.invite.noToken.text',
  ],
} as const
