// Generated from spec/openapi.json by server/test/write-generated-files.ts.
import type { Ask, Body, CallOptions, Query } from './call.ts'
import type { Save, SaveOptions } from './download.ts'

/** What is one operation of the API each. Parameters of the path come first, then the body or the query. */
export const generatedMethods = (ask: Ask, save: Save) => ({
  /** Create an intake job. A `SUBMITTED` job (the default) is sealed at once. A `DRAFT` needs an API key: create a submission with its `job_id`, and send the evidence there. Poll the job until it is ISSUED or FAIL. Body limit: 16,384 bytes. */
  createIntakeJob: (body: Body<'createIntakeJob'>, options?: CallOptions) => ask('createIntakeJob', {}, { ...options, body, idempotent: true }),

  /** Poll an intake job. `Retry-After` says when to poll again. It is absent once the status is final. */
  getIntakeJob: (jobId: string, options?: CallOptions) => ask('getIntakeJob', { job_id: jobId }, options),

  /** Get the manifest of a kit. The kit of a workspace needs its API key, unless the workspace has made its kits public. Without it, the response is 404. */
  getManifest: (kitId: string, options?: CallOptions) => ask('getManifest', { kit_id: kitId }, options),

  /** Get the receipt of a kit. The signed receipt. Needs no API key: the kit ID is enough. */
  getReceipt: (kitId: string, options?: CallOptions) => ask('getReceipt', { kit_id: kitId }, options),

  /** Get the proof that a receipt is in the log. A tlog-proof: the index of the receipt, the hashes up to the root, and a signed checkpoint. Each request returns the newest and best cosigned proof. */
  getLogProof: <Saved = Blob>(kitId: string, options: SaveOptions<Saved> = {}) => save('getLogProof', { kit_id: kitId }, options),

  /** Get the erasure record of a kit. Says when and why the evidence of the kit was deleted, signed by the issuer. Its SHA-256 is a leaf of the transparency log. 404 if the evidence was not deleted. */
  getErasure: (kitId: string, options?: CallOptions) => ask('getErasure', { kit_id: kitId }, options),

  /** Describe a kit. Its files by kind, its hashes, who supplied it, and its place in the log. The kit of a workspace needs its API key, unless the workspace has made its kits public. Without it, the response is 404. */
  describeKit: (kitId: string, options?: CallOptions) => ask('describeKit', { kit_id: kitId }, options),

  /** Download one file of a kit. By its path, such as `data/review.csv`. A slash can be sent as `/` or as `%2F`. Supports ranges, `If-None-Match` and HEAD. The kit of a workspace needs its API key, unless the workspace has made its kits public. Without it, the response is 404. */
  getKitFile: <Saved = Blob>(kitId: string, filePath: string, options: SaveOptions<Saved> = {}) => save('getKitFile', { kit_id: kitId, file_path: filePath }, options),

  /** Export a kit in the format of another tool. `cose` is an RFC 9942 receipt, `in-toto` a signed in-toto statement, `oscal` OSCAL assessment results. None of them replaces the kit, and there is none while its receipt does not verify. The export of an erased kit says so. The kit of a workspace needs its API key, unless the workspace has made its kits public. Without it, the response is 404. */
  exportKit: <Saved = Blob>(kitId: string, format: 'cose' | 'in-toto' | 'oscal', options: SaveOptions<Saved> = {}) => save('exportKit', { kit_id: kitId, format }, options),

  /** The public verification keys. Active and retired keys verify receipts. Revoked keys are listed by ID. Cached for one minute. */
  getKeys: (options?: CallOptions) => ask('getKeys', {}, options),

  /** Verify a receipt. All checks run: the receipt, its signature and key, and the stored kit, whose files are hashed again. A JSON object that is not a receipt is FAIL with `receipt_malformed`. Body limit: 65,536 bytes. */
  verifyReceipt: (body: Body<'verifyReceipt'>, options?: CallOptions) => ask('verifyReceipt', {}, { ...options, body }),

  /** Create a submission. The submission is PENDING until evidence is uploaded. Body limit: 131,072 bytes. */
  createSubmission: (body: Body<'createSubmission'>, options?: CallOptions) => ask('createSubmission', {}, { ...options, body, idempotent: true }),

  /** List and search submissions. Newest first, unless `sort` says otherwise. Filters can be combined. A page can have fewer entries than `limit` if few of many submissions match. If `next_cursor` is not null, there are more. */
  listSubmissions: (query: Query<'listSubmissions'> = {}, options?: CallOptions) => ask('listSubmissions', { ...query }, options),

  /** Poll a submission. The status is PENDING, RUNNING, PASS, FAIL or EXPIRED. `Retry-After` says when to poll again. It is absent once the status is final. */
  getSubmission: (submissionId: string, query: Query<'getSubmission'> = {}, options?: CallOptions) => ask('getSubmission', { ...query, submission_id: submissionId }, options),

  /** Change tags, metadata and external ID, or add to a series. At any time, whatever the status: they are not part of the kit. `tags` and `metadata` are replaced as a whole. `external_id: null` removes it. `series` adds a submission that has none, unless it is being processed. Its kit does not say so, but the next kit of the series names it as the one before. Body limit: 131,072 bytes. */
  updateSubmission: (submissionId: string, body: Body<'updateSubmission'> = {}, options?: CallOptions) => ask('updateSubmission', { submission_id: submissionId }, { ...options, body }),

  /** Delete the evidence of a submission. The submission becomes EXPIRED, and its evidence is deleted within the hour. Manifest, receipt and log proof of an issued kit stay, and a signed erasure record says what was deleted. 409 under a legal hold, or while the submission is processed. Repeating it changes nothing. A draft needs only the scope `submit`. */
  deleteSubmission: (submissionId: string, options?: CallOptions) => ask('deleteSubmission', { submission_id: submissionId }, options),

  /** What a submission came to. Name, size and SHA-256 of each file. Empty until the status is PASS or FAIL. */
  listDeliverables: (submissionId: string, options?: CallOptions) => ask('listDeliverables', { submission_id: submissionId }, options),

  /** Download a deliverable. By its name in the list. A slash in the name can be sent as `/` or as `%2F`. Always the same bytes. Supports ranges, `If-None-Match` and HEAD. */
  getDeliverable: <Saved = Blob>(submissionId: string, name: string, options: SaveOptions<Saved> = {}) => save('getDeliverable', { submission_id: submissionId, name }, options),

  /** Re-issue a kit whose signing key was revoked. Creates a submission with the same evidence, whose kit is signed with the current key. `reports/reissue.json` in the new kit names the kit it replaces. The evidence is not checked again, and no credit is charged. 409 if the key is not revoked, the kit was re-issued already, or its evidence was deleted. */
  reissueKit: (submissionId: string, options?: CallOptions) => ask('reissueKit', { submission_id: submissionId }, { ...options, idempotent: true }),

  /** Resubmit a failed submission. Creates a draft with files of a failed submission, which are not uploaded again. Add the corrected files and submit it. 409 if the submission has not failed, or it belongs to a request or a period. Body limit: 65,536 bytes. */
  resubmit: (submissionId: string, body: Body<'resubmit'>, options?: CallOptions) => ask('resubmit', { submission_id: submissionId }, { ...options, body, idempotent: true }),

  /** Place a legal hold. While the hold is in place, the evidence is kept: retention does not expire it, and nobody can delete it. A second call changes the reason. 409 if the evidence is already gone. Body limit: 4,096 bytes. */
  placeHold: (submissionId: string, body: Body<'placeHold'>, options?: CallOptions) => ask('placeHold', { submission_id: submissionId }, { ...options, body }),

  /** Release a legal hold. Retention and deletion apply again. Without a hold, nothing happens. */
  releaseHold: (submissionId: string, options?: CallOptions) => ask('releaseHold', { submission_id: submissionId }, options),

  /** Get kits whose signing key was revoked. They no longer verify. Re-issue each submission. */
  getRevocations: (options?: CallOptions) => ask('getRevocations', {}, options),

  /** List series, newest first. A series is named by its submissions and requests, such as "Access review". */
  listSeries: (query: Query<'listSeries'> = {}, options?: CallOptions) => ask('listSeries', { ...query }, options),

  /** Get the timeline of a series. The kits of a series, newest first. `gap_days` says where one may be missing. */
  getSeries: (series: string, query: Query<'getSeries'> = {}, options?: CallOptions) => ask('getSeries', { ...query, series }, options),

  /** Compare two kits. Which evidence was added, removed, changed or moved between any two kits of the workspace. */
  compareKits: (query: Query<'compareKits'>, options?: CallOptions) => ask('compareKits', { ...query }, options),

  /** List profiles. Those of the workspace, and those that ship with the service. */
  listProfiles: (options?: CallOptions) => ask('listProfiles', {}, options),

  /** Create a profile. Submissions of the workspace can use it at once. Body limit: 2,097,152 bytes. */
  createProfile: (body: Body<'createProfile'>, options?: CallOptions) => ask('createProfile', {}, { ...options, body, idempotent: true }),

  /** Get a profile. The newest version of the checklist, with every item. */
  getProfile: (profile: string, options?: CallOptions) => ask('getProfile', { profile }, options),

  /** Change a profile. Creates a new version. Submissions that exist keep the version that they were created with. Body limit: 2,097,152 bytes. */
  replaceProfile: (profile: string, body: Body<'replaceProfile'>, options?: CallOptions) => ask('replaceProfile', { profile }, { ...options, body }),

  /** Delete a profile. New submissions can no longer use it. Those that exist keep their version. */
  deleteProfile: (profile: string, options?: CallOptions) => ask('deleteProfile', { profile }, options),

  /** Share a kit. Creates a link for someone without an account. `url` is in this response only: the service stores a hash of it. With `paths`, the recipient sees only these files, each with its file proof. With `recipients`, each of them gets a link of their own by mail and there is no other link; if the service sends no mail, their links are in the response. Body limit: 1,048,576 bytes. */
  createShare: (body: Body<'createShare'>, options?: CallOptions) => ask('createShare', {}, { ...options, body }),

  /** List shares, newest first. Newest first. If `next_cursor` is not null, there are more. */
  listShares: (query: Query<'listShares'> = {}, options?: CallOptions) => ask('listShares', { ...query }, options),

  /** Get a share. Its link, its limits, and how often it was used. */
  getShare: (shareId: string, options?: CallOptions) => ask('getShare', { share_id: shareId }, options),

  /** Change a share. Changes expiry, password, download limit or notices. Its links stay the same. A new password is asked for at once; a revoked share stays revoked. Body limit: 65,536 bytes. */
  changeShare: (shareId: string, body: Body<'changeShare'> = {}, options?: CallOptions) => ask('changeShare', { share_id: shareId }, { ...options, body }),

  /** Revoke a share. The link stops working at once, on every node. Repeating it changes nothing. */
  revokeShare: (shareId: string, options?: CallOptions) => ask('revokeShare', { share_id: shareId }, options),

  /** Get the access log of a share. Who opened the page, viewed or downloaded files, and when, newest first. Addresses are truncated to their network. The same view by the same network within 10 minutes is one entry. */
  listShareAccesses: (shareId: string, query: Query<'listShareAccesses'> = {}, options?: CallOptions) => ask('listShareAccesses', { ...query, share_id: shareId }, options),

  /** Create or replace a link of a share. A new link for one recipient, who is added if the share has no such recipient, or for anyone. Their former link stops working. The link is mailed; if the service sends no mail, it is in this response only. Body limit: 65,536 bytes. */
  createShareLink: (shareId: string, body: Body<'createShareLink'> = {}, options?: CallOptions) => ask('createShareLink', { share_id: shareId }, { ...options, body }),

  /** Revoke the link of one recipient of a share. It stops working at once, on every node. The other links of the share stay. */
  revokeShareLink: (shareId: string, query: Query<'revokeShareLink'> = {}, options?: CallOptions) => ask('revokeShareLink', { ...query, share_id: shareId }, options),

  /** Open a room. A share of several kits: one link per reviewer, who verifies and downloads the kits, asks questions, and says what is reviewed. With `series` or `program`, kits that come while the room is open are in it. All reviewers of a room see its comments and their authors. Links work as those of a share. Body limit: 1,048,576 bytes. */
  createRoom: (body: Body<'createRoom'>, options?: CallOptions) => ask('createRoom', {}, { ...options, body }),

  /** List rooms, newest first. Newest first. If `next_cursor` is not null, there are more. */
  listRooms: (query: Query<'listRooms'> = {}, options?: CallOptions) => ask('listRooms', { ...query }, options),

  /** Get a room. Its link, its limits, and how often it was used. */
  getRoom: (roomId: string, options?: CallOptions) => ask('getRoom', { room_id: roomId }, options),

  /** Change a room. Changes expiry, password, download limit or notices. Its links stay the same. A new password is asked for at once; a revoked room stays revoked. Body limit: 65,536 bytes. */
  changeRoom: (roomId: string, body: Body<'changeRoom'> = {}, options?: CallOptions) => ask('changeRoom', { room_id: roomId }, { ...options, body }),

  /** Revoke a room. The link stops working at once, on every node. Repeating it changes nothing. */
  revokeRoom: (roomId: string, options?: CallOptions) => ask('revokeRoom', { room_id: roomId }, options),

  /** Get the access log of a room. Who opened the page, viewed or downloaded files, and when, newest first. Addresses are truncated to their network. The same view by the same network within 10 minutes is one entry. */
  listRoomAccesses: (roomId: string, query: Query<'listRoomAccesses'> = {}, options?: CallOptions) => ask('listRoomAccesses', { ...query, room_id: roomId }, options),

  /** Create or replace a link of a room. A new link for one recipient, who is added if the room has no such recipient, or for anyone. Their former link stops working. The link is mailed; if the service sends no mail, it is in this response only. Body limit: 65,536 bytes. */
  createRoomLink: (roomId: string, body: Body<'createRoomLink'> = {}, options?: CallOptions) => ask('createRoomLink', { room_id: roomId }, { ...options, body }),

  /** Revoke the link of one recipient of a room. It stops working at once, on every node. The other links of the room stay. */
  revokeRoomLink: (roomId: string, query: Query<'revokeRoomLink'> = {}, options?: CallOptions) => ask('revokeRoomLink', { ...query, room_id: roomId }, options),

  /** List comments and questions of a room. Newest first. A reply names the first comment of its thread. */
  listRoomComments: (roomId: string, query: Query<'listRoomComments'> = {}, options?: CallOptions) => ask('listRoomComments', { ...query, room_id: roomId }, options),

  /** Comment in a room, or answer. All reviewers of the room see it. A reply to the question of a reviewer answers it. Reviewers with a link of their own get a mail; for a reply, only the one who asked. Body limit: 65,536 bytes. */
  commentInRoom: (roomId: string, body: Body<'commentInRoom'>, options?: CallOptions) => ask('commentInRoom', { room_id: roomId }, { ...options, body, idempotent: true }),

  /** Resolve a question, or open it again. The text of a comment does not change. Body limit: 65,536 bytes. */
  changeRoomComment: (roomId: string, commentId: string, body: Body<'changeRoomComment'>, options?: CallOptions) => ask('changeRoomComment', { room_id: roomId, comment_id: commentId }, { ...options, body }),

  /** Erase a comment. Erases its text and its author. Its ID and its SHA-256 stay, here and in the audit log. Repeating it changes nothing. */
  eraseRoomComment: (roomId: string, commentId: string, options?: CallOptions) => ask('eraseRoomComment', { room_id: roomId, comment_id: commentId }, options),

  /** List what reviewers say that they have reviewed. Newest first. It is the statement of the reviewer, who can take it back. */
  listRoomReviews: (roomId: string, query: Query<'listRoomReviews'> = {}, options?: CallOptions) => ask('listRoomReviews', { ...query, room_id: roomId }, options),

  /** Get what waits for a person. Items of periods that the signed-in member owns, answers to review, items that were sent back, what is due, failed submissions, drafts with files, mail that was not sent, and what expires soon. */
  getOverview: (options?: CallOptions) => ask('getOverview', {}, options),

  /** Create a request. Asks a supplier for evidence, item by item. The response has a link for the supplier, who needs no account. It is shown once. Body limit: 2,097,152 bytes. */
  createRequest: (body: Body<'createRequest'>, options?: CallOptions) => ask('createRequest', {}, { ...options, body, idempotent: true }),

  /** List requests, newest first. Newest first. If `next_cursor` is not null, there are more. */
  listRequests: (query: Query<'listRequests'> = {}, options?: CallOptions) => ask('listRequests', { ...query }, options),

  /** Get a request. With its items, the files of the newest round, and the comments. */
  getRequest: (evidenceRequestId: string, options?: CallOptions) => ask('getRequest', { evidence_request_id: evidenceRequestId }, options),

  /** Change a request. Members that are left out stay as they are. The items do not change. Body limit: 65,536 bytes. */
  changeRequest: (evidenceRequestId: string, body: Body<'changeRequest'> = {}, options?: CallOptions) => ask('changeRequest', { evidence_request_id: evidenceRequestId }, { ...options, body }),

  /** List the comments of a request. On all items, newest first. If `next_cursor` is not null, there are more. */
  listRequestComments: (evidenceRequestId: string, query: Query<'listRequestComments'> = {}, options?: CallOptions) => ask('listRequestComments', { ...query, evidence_request_id: evidenceRequestId }, options),

  /** Copy a request. Asks for the same items again, with nothing received. Due dates of items move with that of the request. Body limit: 65,536 bytes. */
  copyRequest: (evidenceRequestId: string, body: Body<'copyRequest'> = {}, options?: CallOptions) => ask('copyRequest', { evidence_request_id: evidenceRequestId }, { ...options, body, idempotent: true }),

  /** Create a link for the supplier. Links that were created before keep working. With `replace`, they stop working at once, also those in mails. Body limit: 65,536 bytes. */
  createRequestLink: (evidenceRequestId: string, body: Body<'createRequestLink'> = {}, options?: CallOptions) => ask('createRequestLink', { evidence_request_id: evidenceRequestId }, { ...options, body }),

  /** Revoke the links of a request. Every link that was created so far stops working at once. */
  revokeRequestLinks: (evidenceRequestId: string, options?: CallOptions) => ask('revokeRequestLinks', { evidence_request_id: evidenceRequestId }, options),

  /** Remind the supplier. Queues a mail to each recipient, with a link of its own; earlier links keep working. `mails` of the response says what became of each. `mail_off` if the service has no mail server: then send a link yourself. Body limit: 65,536 bytes. */
  remindSupplier: (evidenceRequestId: string, options?: CallOptions) => ask('remindSupplier', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),

  /** Review an item, or comment on it. `accepted` needs submitted files. `needs_changes` reopens this item: the supplier can send files again, which gives a new kit. `not_applicable` needs a reason. `to_review` takes a review back until it is sealed in a kit. Body limit: 65,536 bytes. */
  reviewItem: (evidenceRequestId: string, itemId: string, body: Body<'reviewItem'> = {}, options?: CallOptions) => ask('reviewItem', { evidence_request_id: evidenceRequestId, item_id: itemId }, { ...options, body }),

  /** Accept every item with files to review. Items without files, and those that were sent back, stay as they are. The response has the status of each. Body limit: 65,536 bytes. */
  acceptRequest: (evidenceRequestId: string, options?: CallOptions) => ask('acceptRequest', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),

  /** Close a request. The supplier can still read it and download the kit. Body limit: 65,536 bytes. */
  closeRequest: (evidenceRequestId: string, options?: CallOptions) => ask('closeRequest', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),

  /** Create a program. A program is what you show again and again, such as the evidence of a quarterly review. Its periods open by themselves, and each becomes a kit of its series. If `starts_on` has passed, the current period opens at once, and those before it are not made: `skipped_periods` says how many. Body limit: 2,097,152 bytes. */
  createProgram: (body: Body<'createProgram'>, options?: CallOptions) => ask('createProgram', {}, { ...options, body, idempotent: true }),

  /** List programs, newest first. With the newest period of each. If `next_cursor` is not null, there are more. */
  listPrograms: (query: Query<'listPrograms'> = {}, options?: CallOptions) => ask('listPrograms', { ...query }, options),

  /** Get a program. With its items. The board has its periods. */
  getProgram: (programId: string, options?: CallOptions) => ask('getProgram', { program_id: programId }, options),

  /** Change a program, or end it. Members that are left out stay as they are. `items` replaces the list for periods that open later. The period that is open gets the items that are new, and the new title, description, owner and due date of internal items. What a supplier was asked for stays as it was asked. Body limit: 2,097,152 bytes. */
  changeProgram: (programId: string, body: Body<'changeProgram'> = {}, options?: CallOptions) => ask('changeProgram', { program_id: programId }, { ...options, body }),

  /** Get the board of a program. The status of every item in the newest periods, without the names of files. */
  getProgramBoard: (programId: string, query: Query<'getProgramBoard'> = {}, options?: CallOptions) => ask('getProgramBoard', { ...query, program_id: programId }, options),

  /** Open the next period now. Periods open by themselves when they start. This opens the next one before that, or another one of a program without a cadence. Body limit: 65,536 bytes. */
  openPeriod: (programId: string, options?: CallOptions) => ask('openPeriod', { program_id: programId }, { ...options, body: {}, idempotent: true }),

  /** Get a period. With its items, their files and the comments. Files of internal items are uploaded to `submission_id` below the ID of the item. */
  getPeriod: (programId: string, period: string, options?: CallOptions) => ask('getPeriod', { program_id: programId, period }, options),

  /** List the comments of a period. On its internal items, newest first. Those on the others belong to the requests. */
  listPeriodComments: (programId: string, period: string, query: Query<'listPeriodComments'> = {}, options?: CallOptions) => ask('listPeriodComments', { ...query, program_id: programId, period }, options),

  /** Review an item of a period, comment on it, or change its owner or due date. A review is about the files that are there: when they change, the item is to review again. An item whose source is a request is reviewed there. A member comments and asks for a review (`to_review`, with the scope `submit`); the rest needs a manager, or the scope `requests`. Body limit: 65,536 bytes. */
  changePeriodItem: (programId: string, period: string, itemId: string, body: Body<'changePeriodItem'> = {}, options?: CallOptions) => ask('changePeriodItem', { program_id: programId, period, item_id: itemId }, { ...options, body }),

  /** Remove a file from a period. Of an internal item, until the period is sealed. */
  removePeriodFile: (programId: string, period: string, position: string, options?: CallOptions) => ask('removePeriodFile', { program_id: programId, period, position }, options),

  /** Seal a period. Gathers what suppliers sent, and submits all files: they become a kit of the series of the program. Items without files do not prevent it. `reports/program.json` in the kit says what was missing. If the files fail their checks, the period is open again. `open_requests` of the response are closed with it. Body limit: 65,536 bytes. */
  sealPeriod: (programId: string, period: string, body: Body<'sealPeriod'> = {}, options?: CallOptions) => ask('sealPeriod', { program_id: programId, period }, { ...options, body }),

  /** Download one file of a period. By its name, such as `CC6.1/review.csv`: the folder is the ID of its item. A slash can be sent as `/` or as `%2F`. Before the period is sealed, the file has not been examined yet, or only for the request that it answers. Supports ranges, `If-None-Match` and HEAD. */
  getPeriodFile: <Saved = Blob>(programId: string, period: string, filePath: string, options: SaveOptions<Saved> = {}) => save('getPeriodFile', { program_id: programId, period, file_path: filePath }, options),

  /** Get credits and the credit ledger. What is available and held, and the ledger, newest entry first. */
  getCredits: (query: Query<'getCredits'> = {}, options?: CallOptions) => ask('getCredits', { ...query }, options),

  /** Get the pinned issuers. Kits among the evidence are verified with the keys of this service and with these. The result is a finding. */
  getTrust: (options?: CallOptions) => ask('getTrust', {}, options),

  /** Replace the pinned issuers. Each pin is a key of an issuer, by its ID. The `pins` of a trust store that `kitseal trust` wrote can be sent as `data`. Body limit: 1,048,576 bytes. */
  setTrust: (body: Body<'setTrust'>, options?: CallOptions) => ask('setTrust', {}, { ...options, body }),

  /** Get the audit log. Newest first, or with `after` oldest first and without gaps. With `Accept: application/jsonl`, one event per line, oldest first. */
  getAuditTrail: (query: Query<'getAuditTrail'> = {}, options?: CallOptions) => ask('getAuditTrail', { ...query }, options),

  /** Get the people of the audit log. Members and API keys by name, for the filter `by`. Also those that are removed or revoked. */
  getAuditPeople: (options?: CallOptions) => ask('getAuditPeople', {}, options),

  /** Get the head of the audit log. The number and the hash of the newest event, with the proof that they are in the transparency log. Adds them to it if they are not. */
  getAuditHead: (options?: CallOptions) => ask('getAuditHead', {}, options),

  /** Export the audit log. All events as JSON Lines, oldest first, and the head as the last line. `kitseal audit verify` checks the file offline. It ends with the newest event that the log and its witnesses have confirmed. `X-Unconfirmed-Events` says how many follow, and the file is then called `audit-log-COUNT-of-NEWEST.jsonl`. */
  exportAudit: <Saved = Blob>(options: SaveOptions<Saved> = {}) => save('exportAudit', {}, options),

  /** Get events. What happened in the workspace, oldest first. `seq` has no gaps: to continue, now or later, send `last_seq` as `after`. An empty list means that there is nothing newer. */
  listEvents: (query: Query<'listEvents'> = {}, options?: CallOptions) => ask('listEvents', { ...query }, options),

  /** Create a webhook. Sends events from now on, signed as Standard Webhooks describes. Only the first response has the secret. A URL that can never be reached is refused: `message` names the setting that allows it. Body limit: 65,536 bytes. */
  createWebhook: (body: Body<'createWebhook'>, options?: CallOptions) => ask('createWebhook', {}, { ...options, body, idempotent: true }),

  /** List webhooks. All webhooks of the workspace, without their secrets. */
  listWebhooks: (options?: CallOptions) => ask('listWebhooks', {}, options),

  /** Get a webhook. Its settings, and how far it has delivered. */
  getWebhook: (webhookId: string, options?: CallOptions) => ask('getWebhook', { webhook_id: webhookId }, options),

  /** Change a webhook. Changes the members that are sent. The others stay as they are. Body limit: 65,536 bytes. */
  changeWebhook: (webhookId: string, body: Body<'changeWebhook'> = {}, options?: CallOptions) => ask('changeWebhook', { webhook_id: webhookId }, { ...options, body }),

  /** Delete a webhook. Stops deliveries at once. */
  deleteWebhook: (webhookId: string, options?: CallOptions) => ask('deleteWebhook', { webhook_id: webhookId }, options),

  /** Rotate the secret of a webhook. During the grace period, both secrets sign. Only this response has the new one. Body limit: 65,536 bytes. */
  rotateWebhookSecret: (webhookId: string, body: Body<'rotateWebhookSecret'> = {}, options?: CallOptions) => ask('rotateWebhookSecret', { webhook_id: webhookId }, { ...options, body }),

  /** Send events again. Sends all events after a sequence number again, in order. Their `webhook-id` is the same. Body limit: 65,536 bytes. */
  replayWebhook: (webhookId: string, body: Body<'replayWebhook'>, options?: CallOptions) => ask('replayWebhook', { webhook_id: webhookId }, { ...options, body }),

  /** Test a webhook. Sends an event of the type `webhook.ping` at once, and returns the result. */
  pingWebhook: (webhookId: string, options?: CallOptions) => ask('pingWebhook', { webhook_id: webhookId }, options),

  /** Get the delivery log of a webhook. Newest first. The newest thousand attempts are kept. */
  listWebhookAttempts: (webhookId: string, query: Query<'listWebhookAttempts'> = {}, options?: CallOptions) => ask('listWebhookAttempts', { ...query, webhook_id: webhookId }, options),

  /** List API keys. Also those that are expired or revoked. Secrets are not shown. */
  listApiKeys: (options?: CallOptions) => ask('listApiKeys', {}, options),

  /** Create an API key. The first response has the secret, and nothing else ever does. Made by an API key, the new key expires and is revoked with it, unless a person extends it. Body limit: 4,096 bytes. */
  createApiKey: (body: Body<'createApiKey'>, options?: CallOptions) => ask('createApiKey', {}, { ...options, body, idempotent: true }),

  /** Rotate an API key. Creates a key with the same label, scopes and lifetime. The old key works until the grace period ends. Rotated by an API key, it expires no later than that key. Body limit: 4,096 bytes. */
  rotateApiKey: (keyId: string, body: Body<'rotateApiKey'> = {}, options?: CallOptions) => ask('rotateApiKey', { key_id: keyId }, { ...options, body }),

  /** Revoke an API key. Also revokes the keys and deletes the federations that it made. Takes effect with the next request, on every node. A revoked key stays in the list. */
  revokeApiKey: (keyId: string, options?: CallOptions) => ask('revokeApiKey', { key_id: keyId }, options),

  /** Get who you are. The workspace, the API key or member, and what they may do. Any API key can ask. */
  me: (options?: CallOptions) => ask('me', {}, options),

  /** List federations. Which tokens of CI systems the workspace accepts. */
  listFederations: (options?: CallOptions) => ask('listFederations', {}, options),

  /** Create a federation. The workspace accepts tokens of this issuer with these claims at `POST /v1/token`. Made by an API key, it ends with that key, unless a member saves it again. Name claims that only your own jobs have, such as the repository. Body limit: 16,384 bytes. */
  createFederation: (body: Body<'createFederation'>, options?: CallOptions) => ask('createFederation', {}, { ...options, body, idempotent: true }),

  /** Get a federation. The issuer, the audience and the claims that a token must have, and the scopes that it gets. */
  getFederation: (federationId: string, options?: CallOptions) => ask('getFederation', { federation_id: federationId }, options),

  /** Change a federation. The member or API key that changes a federation is its maker from then on, and it ends with its maker. Tokens that it has issued keep working until they expire. Body limit: 16,384 bytes. */
  changeFederation: (federationId: string, body: Body<'changeFederation'>, options?: CallOptions) => ask('changeFederation', { federation_id: federationId }, { ...options, body }),

  /** Delete a federation. Also revokes the tokens that it has issued, and the keys that these made, at once. */
  deleteFederation: (federationId: string, options?: CallOptions) => ask('deleteFederation', { federation_id: federationId }, options),

  /** List unfinished uploads. The resumable uploads of a submission that can be continued, oldest first. */
  listUploads: (submissionId: string, options?: CallOptions) => ask('listUploads', { submission_id: submissionId }, options),

  /** Exchange the token of a CI system. Token exchange (RFC 8693): returns an API key that lives 15 minutes, with the scopes of the federation. Send it in `X-API-Key`, or as a bearer token. A subject token can be exchanged once, and again only together with a valid key that it gave (`actor_token`), until it expires. Body limit: 32,768 bytes. */
  exchangeToken: (body: Body<'exchangeToken'>, options?: CallOptions) => ask('exchangeToken', {}, { ...options, body }),

})
