import type { share as english } from '../en/share.ts'
import { counted, files } from './words.ts'

export const share: typeof english = {
  title: 'Freigegebenes Kit',
  sharedBy: (who) => `Freigegeben von ${who}.`,
  verifies: 'Ihr Browser verifiziert es.',
  downloadKit: (size) => `Kit herunterladen, ${size}`,
  aboutKit: 'Über dieses Kit',
  aboutFiles: 'Über diese Dateien',
  facts: {
    issuer: 'Aussteller',
    supplier: 'Lieferant',
    requester: 'Anfragende Stelle',
    name: 'Name',
    issued: 'Ausgestellt',
    expires: 'Link läuft ab',
    downloadsLeft: 'Verbleibende Besuche, diesen eingeschlossen',
    kitId: 'Kit-ID',
  },
  unknownSupplier: 'nicht genannt',
  files,
  otherFiles: (count) =>
    `${counted(count, 'weitere Datei', 'weitere Dateien')}: Manifest, Quittung, Mappe, Prüfprogramm…`,
  how: 'Wie dies geprüft wurde',
  notYet: 'Noch nicht verifiziert',
  large: 'Zum Verifizieren wird alles gelesen. Ihr Browser braucht ebenso viel freien Speicher.',
  verifyNow: (size) => `${size} verifizieren`,
  notVerified: 'Verifizieren nicht möglich',
  checkingFiles: (done, all) => `Verifizierung: ${done} von ${files(all)}…`,
  filesVerified: (count) => `Verifiziert: ${files(count)}`,
  filesVerifiedText: (key) =>
    `Jede Datei ist unverändert und gehört zu einem signierten Kit. Der Schlüssel: ${key}. Die übrigen Dateien des Kits sind nicht freigegeben.`,
  erased: (day) => `Die Dateien wurden am ${day} gelöscht`,
  erasedText:
    'Der Dienst hat die Dateien dieses Kits nicht mehr. Eine Kopie, die Sie haben, lässt sich weiterhin verifizieren.',
  exhausted: 'Bitten Sie den Absender, das Limit zu erhöhen, wenn Sie die Dateien noch einmal brauchen.',
  keyRevoked: (day) => `Signaturschlüssel am ${day} widerrufen`,
  keyRevokedText:
    'Der Aussteller steht nicht mehr für Signaturen mit diesem Schlüssel ein. Bitten Sie den Absender um ein neu ausgestelltes Kit.',
  yourself: 'Selbst prüfen',
  yourselfKit: (keys) =>
    `Laden Sie das Kit und ${keys} herunter. Verifizieren Sie es dann ohne diesen Dienst:`,
  yourselfFiles: (keys) =>
    `Laden Sie eine Datei, ihren Beweis und ${keys} herunter. Verifizieren Sie sie dann ohne diesen Dienst:`,
  command: 'Befehl',
  password: {
    title: 'Passwort erforderlich',
    lead: 'Der Absender hat diese Freigabe mit einem Passwort geschützt.',
    label: 'Passwort',
    open: 'Öffnen',
  },
}
