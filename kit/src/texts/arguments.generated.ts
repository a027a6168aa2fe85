// Generated from texts/en by texts/message-arguments.ts.
import type { Value } from './message.ts'

export interface MessageArguments {
  'binder.title': { name: Value }
  'binder.subject': { kitId: Value }
  'binder.page': { page: Value }
  'binder.files': { count: number }
  'binder.fewBytes': { count: number }
  'binder.bytes': { size: Value; count: Value }
  'binder.more': { count: Value }
  'binder.verify.qrCode': { address: Value }
  'binder.inventory.folders': { count: number; files: Value }
  'binder.inventory.lead': { count: Value; size: Value }
  'binder.inventory.continued': { folder: Value }
  'binder.findings.lead': { count: number }
  'binder.time': { day: Value; month: Value; year: Value; clock: Value }
  'findings.blockers': { areMore: string | boolean; count: number }
  'findings.secrets': { count: number }
  'findings.secretsAccepted': { count: number }
  'findings.problemsAccepted': { count: number }
  'findings.notices': { count: number }
  'findings.secretAt': { path: Value; place: Value }
  'findings.paths.count': { count: number }
  'findings.paths.what': { count: number }
  'findings.paths.notListed': { count: number }
  'findings.paths.more': { count: number }
  'findings.which': { what: Value; sentences: Value }
  'copy.copyWhat': { what: Value }
  'common.showAll': { count: number }
  'frame.documentTitle': { title: Value }
  'error.share_expired': { expires: Date | string }
  'error.room_full': { limit: number }
  'error.kit_expired': { deleted: Date | string }
  'error.request_not_open': { why: string | boolean }
  'error.request_item_locked': { item: Value }
  'error.request_unchanged': { items: Value }
  'error.storage_limit_reached': { of: string | boolean; bytes: number }
  'error.rate_limited': { what: string | boolean; limit: number; seconds: number }
  'console.frozen.text': { reason: Value }
  'console.overview.waiting.failed': { title: Value }
  'console.overview.waiting.period_failed': { title: Value }
  'console.overview.waiting.item_late': { title: Value }
  'console.overview.waiting.item_sent_back': { title: Value }
  'console.overview.waiting.item': { title: Value }
  'console.overview.waiting.review': { title: Value; count: number }
  'console.overview.waiting.unanswered': { title: Value; count: number }
  'console.overview.waiting.overdue': { title: Value }
  'console.overview.waiting.due': { title: Value }
  'console.overview.waiting.sent_back': { title: Value; count: number }
  'console.overview.waiting.question': { title: Value; count: number }
  'console.overview.waiting.draft': { title: Value }
  'console.overview.waiting.share': { title: Value }
  'console.overview.waiting.key': { title: Value }
  'console.files': { count: number }
  'console.notEntitled.text': { name: Value }
  'console.audit.byMeans': { means: Value; name: Value }
  'console.custody.held': { day: Value }
  'console.custody.erased': { day: Value; by: Value }
  'console.custody.byRule': { rule: Value }
  'console.custody.erasedText': { files: number; size: Value }
  'console.reissue.banner.title': { kits: number; date: Value }
  'console.reissue.banner.text': { heading: Value }
  'console.reissue.banner.compromised': { date: Value }
  'console.requests.progress': { answered: Value; items: number }
  'console.requests.progressLabel': { title: Value }
  'console.requests.accepted': { count: Value }
  'console.requests.notApplicableCount': { count: Value }
  'console.requests.collected': { count: Value }
  'console.requests.form.imported': { count: number; name: Value }
  'console.items.of.item_id': { row: Value }
  'console.items.of.title': { row: Value }
  'console.items.of.description': { row: Value }
  'console.requests.form.removeItem': { row: Value }
  'console.requests.form.ready': { count: number; isMailed: string | boolean }
  'console.requests.mails.queued': { what: Value }
  'console.requests.mails.sent': { what: Value }
  'console.requests.mails.failed': { what: Value }
  'console.requests.sender.name': { name: Value }
  'console.requests.roundText': { round: number }
  'console.requests.left': { titles: Value }
  'console.programs.items': { count: number }
  'console.programs.lateCount': { count: Value }
  'console.programs.accepted': { accepted: Value; items: number }
  'console.programs.acceptedLabel': { name: Value }
  'console.programs.form.viewerOwners': { owners: Value }
  'console.programs.form.unknownOwners': { owners: Value }
  'console.items.of.owner': { row: Value }
  'console.items.of.source': { row: Value }
  'console.items.of.recipients': { row: Value }
  'console.items.of.due_days': { row: Value }
  'console.programs.form.ready': { suppliers: number; items: number; isMailed: string | boolean }
  'console.programs.board.grid': { name: Value }
  'console.programs.board.noPeriods.text': { day: Value }
  'console.programs.board.due': { day: Value }
  'console.programs.board.late': { day: Value }
  'console.programs.actions.seal': { period: Value }
  'console.programs.actions.kit': { period: Value }
  'console.programs.actions.accept': { count: number }
  'console.programs.seal.title': { period: Value }
  'console.programs.seal.missing': { count: number }
  'console.programs.seal.notAccepted': { count: number }
  'console.programs.seal.more': { count: Value }
  'console.programs.seal.early': { period: Value; day: Value }
  'console.programs.failed': { period: Value }
  'console.programs.sealing': { period: Value }
  'console.programs.accept.title': { count: number; period: Value }
  'console.programs.next.text': { isMailed: string | boolean }
  'console.programs.cell.title': { id: Value; period: Value }
  'console.programs.cell.same': { period: Value }
  'console.programs.cell.sameOther': { name: Value; period: Value }
  'console.programs.cell.remove': { name: Value }
  'console.programs.cell.reason': { reason: Value }
  'console.webhooks.someEvents': { count: number }
  'console.federations.equals': { claim: Value; value: Value }
  'console.federations.prefix': { claim: Value; value: Value }
  'console.federations.remove.title': { label: Value }
  'console.shares.title': { label: Value }
  'console.shares.mails.because': { status: Value; reason: Value }
  'console.shares.linkFor': { address: Value }
  'console.shares.recipients': { addresses: Value }
  'console.shares.files': { count: number }
  'console.shares.until': { time: Value }
  'console.shares.links.title': { label: Value }
  'console.shares.change.title': { label: Value }
  'console.shares.change.now': { time: Value }
  'console.shares.change.fromNow': { life: Value }
  'console.shares.revoke.title': { label: Value }
  'console.shares.accesses.title': { label: Value }
  'console.shares.accesses.linkOf': { address: Value }
  'console.rooms.ofSeries': { series: Value }
  'console.rooms.questions': { count: number }
  'console.workspaces.button': { name: Value }
  'console.signIn.withOidc': { name: Value }
  'console.choose.lead': { email: Value }
  'console.choose.join': { workspace: Value }
  'console.invite.withOidc': { name: Value }
  'console.invite.heading': { workspace: Value }
  'console.account.passkeys.remove.title': { label: Value }
  'console.account.sessions.signedIn': { method: Value }
  'console.members.passkeys': { count: number }
  'console.members.roleOf': { email: Value }
  'console.members.remove.title': { email: Value }
  'console.members.remove.key': { label: Value }
  'console.members.remove.federation': { label: Value }
  'console.members.remove.share': { label: Value }
  'console.members.remove.request': { title: Value }
  'console.members.remove.invitations': { emails: Value }
  'console.members.invite.made': { count: number }
  'console.new.dropHint': { limit: Value }
  'console.new.skipped': { count: number }
  'console.new.unreadable': { why: Value }
  'console.new.filesTitle': { count: number; size: Value }
  'console.new.problems': { more: string | boolean; count: number }
  'console.new.removeFile': { name: Value }
  'console.new.tooLarge.text': { size: Value; limit: Value }
  'console.new.check.badTitle': { problems: Value }
  'console.new.check.removeFiles': { count: number }
  'console.new.check.failed': { why: Value }
  'console.new.accept.secrets.label': { count: number }
  'console.new.accept.files.label': { count: number }
  'console.new.accept.items.label': { count: number }
  'console.new.sentOf': { sent: number; all: number }
  'console.checklist.title': { met: Value; required: number }
  'console.checklist.suggestion': { name: Value }
  'console.checklist.confirmAs': { name: Value; item: Value }
  'console.checklist.example': { name: Value }
  'console.profiles.removeTitle': { title: Value }
  'console.profiles.items': { count: number }
  'console.series.of': { name: Value }
  'console.list.withTag': { tag: Value }
  'console.list.inSeries': { series: Value }
  'console.list.shown': { count: number }
  'console.timeline.received': { files: number }
  'console.submission.draft.unfinished.progress': { done: Value; all: Value }
  'console.submission.draft.there': { count: number }
  'console.submission.fail.sentence': { blockers: Value }
  'console.submission.fail.keeps': { kept: number; all: number }
  'console.submission.kit.unpacked': { uploaded: number; files: number }
  'console.keys.by': { name: Value }
  'console.keys.secret.title': { label: Value }
  'console.keys.rotate.title': { label: Value }
  'console.keys.extend.title': { label: Value }
  'console.keys.revoke.title': { label: Value }
  'console.settings.facts.unpackedValue': { bytes: Value; files: number }
  'console.settings.facts.days': { days: number }
  'console.settings.facts.mailsValue': { count: number }
  'console.settings.facts.rateValue': { count: number }
  'console.overview.waiting.mailTo': { to: Value }
  'console.overview.waiting.mailWhy': { reason: Value }
  'console.overview.waiting.mailToWhy': { to: Value; reason: Value }
  'console.overview.waiting.evidence': { count: number }
  'console.custody.byOrder': { who: Value }
  'console.custody.byMember': { who: Value }
  'console.custody.byKey': { who: Value }
  'console.choose.role': { role: Value }
  'console.invite.as': { email: Value; role: Value }
  'console.roles.needs.submit': { role: Value }
  'console.roles.needs.shares': { role: Value }
  'console.roles.needs.comments': { role: Value }
  'console.roles.needs.requests': { role: Value }
  'console.roles.needs.programs': { role: Value }
  'console.roles.needs.profiles': { role: Value }
  'console.roles.needs.webhooks': { role: Value }
  'console.roles.needs.keys': { role: Value }
  'console.roles.needs.members': { role: Value }
  'console.roles.needs.settings': { role: Value }
  'console.roles.needs.reissue': { role: Value }
  'console.roles.needs.custody': { role: Value }
  'console.shares.downloads': { count: number }
  'console.shares.downloadsOf': { limit: number; count: Value }
  'console.shares.create': { recipients: number }
  'console.shares.send': { recipients: number }
  'console.checklist.wanted': { types: Value }
  'console.checklist.wantedFresh': { days: number; types: Value }
  'console.checklist.fresh': { days: number }
  'console.timeline.by.keyNamed': { name: Value }
  'console.timeline.by.memberNamed': { name: Value }
  'console.once.local': { host: Value }
  'console.items.columns': { columns: Value }
  'console.programs.form.willInvite': { owners: Value }
  'console.programs.form.askOwner': { owners: Value }
  'console.programs.cell.needsChangesHint': { isMailed: string | boolean }
  'console.overview.due': { time: Value }
  'console.service.lead': { version: Value; issuer: Value }
  'console.service.verdict.warn': { count: number }
  'console.service.verdict.fail': { count: number }
  'console.service.storage.disk': { folder: Value }
  'console.service.storage.free': { free: Value; size: Value }
  'console.service.mail.tests.queued': { email: Value }
  'console.service.mail.tests.sent': { email: Value }
  'console.service.mail.tests.failed': { email: Value }
  'console.service.log.frozenSince': { reason: Value }
  'console.service.log.witness': { name: Value }
  'console.service.workspaces.of': { used: Value; limit: Value }
  'console.service.workspaces.made': { name: Value }
  'console.service.workspaces.mailed': { email: Value }
  'console.service.workspaces.linkText': { email: Value }
  'console.service.plans.changing': { name: Value }
  'console.service.workspace.confirm.title': { name: Value }
  'console.service.workspace.members.passkeys': { count: number }
  'console.service.workspace.reset.title': { email: Value }
  'console.service.workspace.remove.title': { email: Value }
  'console.service.workspace.members.invited': { email: Value; role: Value }
  'finding.sentence': { detail: Value }
  'finding.withDetail': { message: Value; detail: Value }
  'detail.andMore': { list: Value; count: Value }
  'detail.line': { line: Value; what: Value }
  'detail.part': { part: Value; what: Value }
  'detail.ruleAnd': { rule: Value; what: Value }
  'detail.privateKey': { format: Value }
  'detail.encryptedKey': { format: Value }
  'detail.endsIn': { extension: Value }
  'detail.attachmentNamed': { name: Value }
  'detail.embeddedNamed': { name: Value }
  'detail.firstLine': { line: Value }
  'detail.contentIs': { extension: Value; content: Value }
  'detail.startsUnlike': { type: Value }
  'detail.byName': { type: Value }
  'detail.method': { method: Value }
  'detail.twins': { name: Value }
  'detail.levelsOfArchives': { count: Value }
  'detail.levelsOfDocuments': { count: Value }
  'detail.levels': { count: Value }
  'detail.entries': { count: Value; limit: Value }
  'detail.bytes': { count: Value; limit: Value }
  'detail.ratio': { packed: Value; unpacked: Value; limit: Value }
  'detail.unpacksTo': { count: Value }
  'detail.macrosIn': { name: Value }
  'detail.lacksRels': { part: Value }
  'detail.otherFile': { name: Value }
  'detail.nameOfFolder': { name: Value }
  'detail.kitIssued': { kit: Value; issuer: Value; date: Value }
  'detail.kitBecause': { kit: Value; issuer: Value; reason: Value }
  'detail.otherHash': { actual: Value; list: Value; stated: Value }
  'detail.names': { line: Value; name: Value }
  'detail.newest': { item: Value; files: Value; days: Value; date: Value }
  'detail.fresh': { item: Value; files: Value; days: Value }
  'detail.suggested': { item: Value; files: Value; example: Value; found: Value; name: Value }
  'detail.missing': { item: Value; files: Value; example: Value; found: Value }
  'detail.moreFound': { count: Value }
  'detail.jobFailed': { count: Value }
  'detail.checkFailed': { count: Value; what: Value }
  'detail.is': { what: Value }
  'detail.list': { first: Value; rest: Value }
  'detail.text': { text: Value }
  'detail.programAt': { offset: Value; program: Value }
  'detail.objectProgram': { program: Value }
  'detail.streamProgram': { program: Value }
  'detail.tooManyFields': { count: Value }
  'detail.loadsElsewhere': { relation: Value }
  'detail.linkOpens': { scheme: Value }
  'detail.streamFilter': { filter: Value }
  'detail.firstAttachments': { count: Value }
  'detail.moreParts': { count: Value }
  'detail.nameBytes': { bytes: Value }
  'detail.contains': { what: Value }
  'detail.insideIt': { what: Value }
  'detail.anonymous': { what: Value }
  'detail.entryLimit': { what: Value; limit: Value }
  'thing.settings': { name: Value }
  'thing.connection': { start: Value }
  'thing.token': { start: Value }
  'thing.key': { format: Value }
  'thing.secret': { title: Value; start: Value }
  'thing.image': { article: string | boolean; name: Value }
  'thing.archive': { article: string | boolean; name: Value }
  'thing.video': { article: string | boolean; name: Value }
  'thing.audio': { article: string | boolean; name: Value }
  'thing.table': { article: string | boolean; name: Value }
  'thing.database': { article: string | boolean; name: Value }
  'thing.document': { article: string | boolean; name: Value }
  'thing.workbook': { article: string | boolean; name: Value }
  'thing.presentation': { article: string | boolean; name: Value }
  'thing.file': { article: string | boolean; name: Value }
  'thing.other': { article: string | boolean; name: Value }
  'thing.files': { count: number }
  'thing.filesOfType': { count: number; type: Value }
  'thing.namesAndMore': { list: Value; count: Value }
  'mail.invitation.subject': { workspace: Value }
  'mail.invitation.before.1': { inviter: Value; workspace: Value; role: Value }
  'mail.invitation.after.1': { expires: Value }
  'mail.request.subject': { workspace: Value; title: Value }
  'mail.request.before.1': { workspace: Value; title: Value }
  'mail.request.before.2': { message: Value }
  'mail.request.before.3': { items: Value }
  'mail.request.before.4': { due: Value }
  'mail.reminder.subject': { title: Value; when: Value }
  'mail.reminder.before.1': { workspace: Value; title: Value; when: Value }
  'mail.reminder.before.2': { due: Value }
  'mail.reminder.before.3': { open: Value }
  'mail.period.subject': { title: Value; when: Value }
  'mail.period.before.1': { title: Value; workspace: Value; when: Value }
  'mail.period.before.2': { message: Value }
  'mail.period.before.3': { items: Value }
  'mail.period.before.4': { due: Value }
  'mail.result.subject': { title: Value; result: Value }
  'mail.result.before.1': { title: Value; workspace: Value; result: Value }
  'mail.result.before.2': { advice: Value }
  'mail.share.subject': { workspace: Value; title: Value }
  'mail.share.before.1': { workspace: Value; title: Value }
  'mail.share.before.2': { note: Value }
  'mail.share.before.3': { password: Value }
  'mail.share.after.2': { expires: Value }
  'mail.key_revocation.subject': { kits: Value }
  'mail.key_revocation.before.1': { kid: Value; revoked: Value; kits: Value; workspace: Value }
  'mail.key_revocation.before.2': { since: Value }
  'mail.webhook_disabled.subject': { url: Value }
  'mail.webhook_disabled.before.1': { url: Value; workspace: Value; since: Value }
  'mail.webhook_disabled.before.2': { problem: Value }
  'mail.test.subject': { issuer: Value }
  'mail.test.before.1': { issuer: Value; workspace: Value }
  'mail.access_reset.subject': { workspace: Value }
  'mail.access_reset.before.1': { operator: Value; workspace: Value }
  'mail.access_reset.after.1': { expires: Value }
  'mail.unsubscribe': { workspace: Value }
  'mail.unsubscribeText': { workspace: Value; url: Value }
  'mail.phrase.inDays': { days: Value }
  'mail.phrase.wrote': { who: Value }
  'mail.phrase.downloadedShare': { who: Value }
  'mail.phrase.downloadedRoom': { who: Value }
  'mail.phrase.password': { workspace: Value }
  'mail.phrase.closed': { period: Value }
  'mail.phrase.more': { list: Value; count: Value }
  'home.keys.statuses.retired': { until: Value }
  'home.keys.statuses.revoked': { heading: Value }
  'home.offline.command': { origin: Value }
  'verify.unreadable': { why: Value }
  'verify.keysTitle': { count: number }
  'verify.working': { name: Value }
  'verify.progress': { done: Value; all: Value }
  'verify.failed': { why: Value }
  'verify.named.erased': { day: Value; by: Value }
  'verify.named.erasedByRule': { rule: Value }
  'verify.named.agree': { host: Value }
  'log.frozen': { since: Value }
  'log.monitor.command': { issuer: Value }
  'preview.open': { name: Value }
  'preview.contentOf': { name: Value }
  'preview.downloadOf': { name: Value }
  'preview.proofOf': { name: Value }
  'preview.fileSays': { summary: Value }
  'preview.pdf.page': { page: Value; pages: Value }
  'preview.firstRows': { count: number }
  'preview.failed': { why: Value }
  'request.lead': { who: Value }
  'request.notApplicableBy': { who: Value; reason: Value }
  'request.chooseFor': { verb: Value; item: Value }
  'request.removeFile': { name: Value }
  'request.sending': { name: Value }
  'request.forms.comment.label': { item: Value }
  'request.forms.notApplicable.label': { item: Value }
  'request.progress': { answered: Value; items: number; files: number }
  'request.held': { count: number }
  'request.outcome.submittedText': { who: Value }
  'request.outcome.changingText': { who: Value }
  'request.outcome.acceptedText': { who: Value; accepted: number; notApplicable: number }
  'request.outcome.closedText': { who: Value }
  'request.outcome.reopened': { items: number }
  'request.outcome.reopenedText': { who: Value }
  'request.problems.upload_too_large': { bytes: number }
  'room.openedBy': { who: Value }
  'room.as': { who: Value }
  'room.kits': { count: number }
  'room.downloadAll': { count: number; size: Value }
  'room.verify.running': { current: Value; all: Value }
  'room.verify.passed': { count: number }
  'room.verify.failed': { bad: Value; all: number }
  'room.verify.notYet': { count: number }
  'room.sentence.compared': { key: Value }
  'room.sentence.failed': { why: Value }
  'room.sentence.erased': { day: Value }
  'room.open': { count: number }
  'room.review.of': { what: Value }
  'room.review.by': { who: Value; day: Value }
  'room.comments.title': { count: number }
  'room.comments.about': { what: Value }
  'room.comments.askAbout': { what: Value }
  'room.comments.replyTo': { who: Value }
  'share.sharedBy': { who: Value }
  'share.downloadKit': { size: Value }
  'share.files': { count: number }
  'share.otherFiles': { count: number }
  'share.verifyNow': { size: Value }
  'share.checkingFiles': { done: Value; all: number }
  'share.filesVerified': { count: number }
  'share.filesVerifiedText': { key: Value }
  'share.erased': { day: Value }
  'share.keyRevoked': { day: Value }
  'share.yourselfKit': { keys: Value }
  'share.yourselfFiles': { keys: Value }
  'request.missingNames': { titles: Value }
  'request.missing': { count: number }
  'room.sentence.sealed': { issuer: Value; day: Value }
  'room.sentence.sealedFor': { issuer: Value; who: Value; day: Value }
  'request.removed': { count: number; names: Value }
  'receiptAlone.signedWith': { key: Value }
  'expectedKit.other': { kitId: Value; expected: Value }
  'upload.leave.text': { count: number }
  'checklist.otherFiles': { count: number }
  'checklist.counts.accepted': { count: number }
  'checklist.counts.not_accepted': { count: number }
  'checklist.counts.missing': { count: number }
  'checklist.counts.not_applicable': { count: number }
  'verdicts.verified.advice': { key: Value }
  'verdicts.key_revoked.heading': { date: Value }
  'keys.pinnedOn': { day: Value }
  'keys.notCompared': { host: Value }
  'keys.confirmed': { host: Value; day: Value }
  'keys.firstUse': { host: Value; day: Value }
  'keys.site': { host: Value }
  'names.operator': { host: Value }
  'provenance.headings.verified': { host: Value }
  'provenance.andMore': { first: Value; more: Value }
  'provenance.repository': { name: Value }
  'provenance.workflow': { name: Value }
  'provenance.run': { run: Value }
  'provenance.attempt': { run: Value; attempt: Value }
  'provenance.commit': { commit: Value }
  'provenance.token': { issuer: Value }
  'provenance.ref': { ref: Value }
  'provenance.uploaded': { time: Value }
  'provenance.resumable': { route: Value }
  'provenance.key': { id: Value }
  'provenance.keyName': { name: Value }
  'provenance.member': { id: Value }
  'provenance.link': { id: Value }
  'provenance.byService': { time: Value }
  'provenance.confirmedAddress': { address: Value; time: Value }
  'provenance.sentBy': { name: Value }
  'provenance.uploadedWith': { program: Value }
  'provenance.collectedWith': { program: Value }
  'provenance.command': { command: Value }
  'provenance.collected': { time: Value }
  'provenance.period': { from: Value; to: Value }
  'provenance.system': { system: Value }
  'provenance.query': { query: Value }
  'view.sentence': { text: Value }
  'view.files': { count: number }
  'view.checked': { name: Value; about: Value; time: Value; seconds: Value }
  'view.notShown': { why: Value }
  'view.more': { count: Value }
  'view.errors': { count: number }
  'view.namedInKit': { issuer: Value }
  'view.notSigned.kit': { issuer: Value }
  'view.notSigned.receipt': { issuer: Value }
  'view.askIssuer.here': { site: Value; issuer: Value }
  'view.picked.notKit': { name: Value }
  'view.picked.emptyFolder': { name: Value }
  'view.picked.notKitFolder': { name: Value }
  'view.keyForm.keys': { count: number }
  'view.keyForm.rejected': { key: Value; why: Value }
  'view.keyForm.notKeyId': { text: Value }
  'view.policyForm.tooLarge': { name: Value }
  'view.policyForm.notPolicy': { why: Value }
  'view.page.progress': { read: Value; total: Value }
  'view.page.unreadable': { why: Value }
  'view.page.unused': { name: Value }
  'view.page.unfinished': { why: Value }
  'reason.andMore': { reason: Value; count: Value }
  'reason.fits': { log: Value }
  'reason.entry': { entry: Value; log: Value; size: Value }
  'reason.unchecked': { log: Value }
  'reason.unwitnessed': { log: Value; entry: Value; size: Value }
  'reason.since': { log: Value; time: Value; seen: Value }
  'reason.onlySeen': { log: Value; entry: Value; size: Value; seen: Value }
  'reason.seen': { total: number; cosigned: Value }
  'reason.seenNamed': { total: number; cosigned: Value }
  'reason.existed': { time: Value; by: Value }
  'reason.stampedSeen': { total: number; authority: Value; cosigned: Value }
  'reason.stamped': { authority: Value }
  'reason.quorum': { cosigned: Value; total: Value; time: Value }
  'reason.tooFew': { cosigned: Value; total: Value }
  'reason.more': { count: Value }
  'reason.changed': { path: Value; found: Value; listed: Value }
  'reason.resized': { path: Value; bytes: Value; listedBytes: Value; found: Value; listed: Value }
  'reason.missing': { path: Value }
  'reason.missingOrBroken': { path: Value }
  'reason.broken': { path: Value }
  'reason.unlisted': { path: Value }
  'reason.unknown': { path: Value }
  'reason.size': { path: Value; bytes: Value; listed: Value }
  'reason.crc': { path: Value }
  'reason.header': { path: Value }
  'reason.manifestHash': { stated: Value; actual: Value }
  'reason.otherManifest': { stated: Value; actual: Value }
  'reason.otherRoot': { stated: Value; actual: Value }
  'reason.differs': { member: Value; manifest: Value; receipt: Value }
  'reason.receiptHash': { stated: Value; actual: Value }
  'reason.notCanonical': { path: Value; receipt: Value }
  'reason.notSignature': { path: Value; receipt: Value }
  'reason.keySetChanged': { path: Value; actual: Value; stated: Value }
  'reason.folderName': { name: Value; kit: Value }
  'reason.notProvided': { issuer: Value }
  'reason.keyRevoked': { kid: Value; time: Value }
  'reason.sameName': { first: Value; second: Value }
  'reason.otherProof': { log: Value }
  'reason.otherSite': { site: Value; issuer: Value }
  'reason.notInKeySet': { kid: Value }
  'reason.notInKeySetBut': { kid: Value; why: Value }
  'reason.privateMember': { member: Value }
  'reason.otherKid': { kid: Value; thumbprint: Value }
  'reason.badTime': { member: Value }
}

/** Here, because the published types of kit cannot import JSON. */
export type VerifierKey =
  | 'kit.boundary'
  | 'verdicts.verified.heading'
  | 'verdicts.verified.advice'
  | 'verdicts.sender_unconfirmed.heading'
  | 'verdicts.sender_unconfirmed.advice'
  | 'verdicts.signer_unknown.heading'
  | 'verdicts.signer_unknown.advice'
  | 'verdicts.key_revoked.heading'
  | 'verdicts.key_revoked.advice'
  | 'verdicts.altered.heading'
  | 'verdicts.altered.advice'
  | 'verdicts.unreadable.heading'
  | 'verdicts.unreadable.advice'
  | 'kit.keyRevoked'
  | 'kit.notLogged'
  | 'keys.kit'
  | 'keys.none'
  | 'keys.given'
  | 'keys.pinned'
  | 'keys.pinnedOn'
  | 'keys.notCompared'
  | 'keys.confirmed'
  | 'keys.firstUse'
  | 'keys.site'
  | 'names.named'
  | 'names.operator'
  | 'names.own'
  | 'kit.anonymous'
  | 'kit.byLink'
  | 'checks.kit_reads_in_one_way'
  | 'checks.files_match_manifest'
  | 'checks.nothing_was_added'
  | 'checks.manifest_matches_receipt'
  | 'checks.receipt_is_whole'
  | 'checks.envelope_agrees'
  | 'checks.key_id_matches_public_key'
  | 'checks.key_was_alive'
  | 'checks.signature_verifies'
  | 'checks.signer_is_trusted'
  | 'checks.receipt_is_logged'
  | 'checks.log_is_witnessed'
  | 'checks.time_is_confirmed'
  | 'checks.file_matches_proof'
  | 'provenance.headings.verified'
  | 'provenance.headings.unconfirmed'
  | 'provenance.headings.supplier'
  | 'provenance.headings.files'
  | 'provenance.allFiles'
  | 'provenance.andMore'
  | 'provenance.repository'
  | 'provenance.workflow'
  | 'provenance.run'
  | 'provenance.attempt'
  | 'provenance.commit'
  | 'provenance.token'
  | 'provenance.ref'
  | 'provenance.uploaded'
  | 'provenance.routes.browser'
  | 'provenance.routes.api'
  | 'provenance.routes.request_link'
  | 'provenance.resumable'
  | 'provenance.key'
  | 'provenance.keyName'
  | 'provenance.member'
  | 'provenance.link'
  | 'provenance.byService'
  | 'provenance.confirmedAddress'
  | 'provenance.sentBy'
  | 'provenance.uploadedWith'
  | 'provenance.collectedWith'
  | 'provenance.command'
  | 'provenance.collected'
  | 'provenance.period'
  | 'provenance.system'
  | 'provenance.query'
  | 'view.words.warn'
  | 'view.words.fail'
  | 'view.sentence'
  | 'view.kinds.zip'
  | 'view.kinds.folder'
  | 'view.kinds.receipt'
  | 'view.files'
  | 'view.checked'
  | 'view.checks'
  | 'view.results.pass'
  | 'view.results.fail'
  | 'view.results.not_run'
  | 'view.log'
  | 'view.provenance'
  | 'view.statements.verified'
  | 'view.statements.stated'
  | 'view.notShown'
  | 'view.more'
  | 'view.errors'
  | 'view.signature'
  | 'view.keyId'
  | 'view.unknown'
  | 'view.key'
  | 'view.receipt'
  | 'view.noReceipt'
  | 'view.proved'
  | 'view.notProved'
  | 'view.issuer'
  | 'view.namedInKit'
  | 'view.caller'
  | 'view.supplier'
  | 'view.requester'
  | 'view.name'
  | 'view.issued'
  | 'view.kit'
  | 'view.manifestHash'
  | 'view.rootHash'
  | 'view.again'
  | 'view.print'
  | 'view.save'
  | 'view.notSigned.kit'
  | 'view.notSigned.receipt'
  | 'view.askIssuer.title'
  | 'view.askIssuer.here'
  | 'view.askIssuer.there'
  | 'view.extraFiles.title'
  | 'view.extraFiles.steps.0'
  | 'view.extraFiles.steps.1'
  | 'view.otherKey.title'
  | 'view.otherKey.steps.0'
  | 'view.otherKey.steps.1'
  | 'view.otherKey.steps.2'
  | 'view.picked.expected'
  | 'view.picked.notKit'
  | 'view.picked.several'
  | 'view.picked.none'
  | 'view.picked.emptyFolder'
  | 'view.picked.notKitFolder'
  | 'view.picked.dropped'
  | 'view.keyForm.title'
  | 'view.keyForm.open.0'
  | 'view.keyForm.open.1'
  | 'view.keyForm.ask'
  | 'view.keyForm.choose'
  | 'view.keyForm.enter'
  | 'view.keyForm.placeholder'
  | 'view.keyForm.confirmation'
  | 'view.keyForm.check'
  | 'view.keyForm.nothing'
  | 'view.keyForm.notConfirmed'
  | 'view.keyForm.kitsCopy'
  | 'view.keyForm.wrongFile'
  | 'view.keyForm.noKey'
  | 'view.keyForm.keys'
  | 'view.keyForm.rejected'
  | 'view.keyForm.noKid'
  | 'view.keyForm.notKeyId'
  | 'view.policyForm.title'
  | 'view.policyForm.what'
  | 'view.policyForm.roots'
  | 'view.policyForm.choose'
  | 'view.policyForm.paste'
  | 'view.policyForm.check'
  | 'view.policyForm.nothing'
  | 'view.policyForm.tooLarge'
  | 'view.policyForm.notPolicy'
  | 'view.page.checking'
  | 'view.page.progress'
  | 'view.page.another'
  | 'view.page.unreadable'
  | 'view.page.unused'
  | 'view.page.stopped'
  | 'view.page.unfinished'
  | 'view.page.folderAlone'
  | 'reason.andMore'
  | 'reason.noProof'
  | 'reason.noTimeStamp'
  | 'reason.noLogPolicy'
  | 'reason.noPolicy'
  | 'reason.noKey'
  | 'reason.noTrustedKey'
  | 'reason.noPublicKey'
  | 'reason.kitsKey'
  | 'reason.integrityOnly'
  | 'reason.issuersLog'
  | 'reason.fits'
  | 'reason.entry'
  | 'reason.notLogged'
  | 'reason.unchecked'
  | 'reason.unwitnessed'
  | 'reason.since'
  | 'reason.onlySeen'
  | 'reason.seen'
  | 'reason.seenNamed'
  | 'reason.existed'
  | 'reason.stampedSeen'
  | 'reason.stamped'
  | 'reason.noTime'
  | 'reason.quorum'
  | 'reason.tooFew'
  | 'reason.noKit'
  | 'reason.more'
  | 'reason.changed'
  | 'reason.resized'
  | 'reason.missing'
  | 'reason.missingOrBroken'
  | 'reason.broken'
  | 'reason.unlisted'
  | 'reason.unknown'
  | 'reason.size'
  | 'reason.crc'
  | 'reason.badDirectory'
  | 'reason.badData'
  | 'reason.cutOff'
  | 'reason.noZip'
  | 'reason.header'
  | 'reason.manifestHash'
  | 'reason.otherManifest'
  | 'reason.otherRoot'
  | 'reason.differs'
  | 'reason.receiptHash'
  | 'reason.notCanonical'
  | 'reason.notSignature'
  | 'reason.keySetChanged'
  | 'reason.folderName'
  | 'reason.notProvided'
  | 'reason.keyRevoked'
  | 'reason.wasRevoked'
  | 'reason.badSignature'
  | 'reason.noManifest'
  | 'reason.noReceipt'
  | 'reason.noReceiptToCompare'
  | 'reason.noKeyId'
  | 'reason.noSigner'
  | 'reason.notWellFormed'
  | 'reason.sameName'
  | 'reason.otherProof'
  | 'reason.otherSite'
  | 'reason.notInKeySet'
  | 'reason.notInKeySetBut'
  | 'reason.noReadableReceipt'
  | 'reason.privateMember'
  | 'reason.noX'
  | 'reason.otherKid'
  | 'reason.twice'
  | 'reason.notForSignatures'
  | 'reason.notForEd25519'
  | 'reason.badTime'
