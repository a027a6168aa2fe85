import type { PageTexts } from './en.ts'

export const de: PageTexts = {
  title: 'Ist dieses Kit echt?',
  language: 'Sprache',
  skip: 'Zum Kit springen',
  intro:
    'Ein Nachweis-Kit enthält Dateien, die jemand als Nachweise geliefert hat, von einem Aussteller so versiegelt, dass jede Änderung auffällt.',
  named: 'Dieses nennt *ISSUER* als Aussteller, aber diesen Namen kann jeder hineinschreiben.',
  how: 'Ziehen Sie das Kit in das Feld unten, dann prüft diese Seite jede Datei darin. Danach hilft sie Ihnen herauszufinden, ob der Aussteller es wirklich versiegelt hat. Es wird nichts hochgeladen: Diese Seite funktioniert offline.',
  ownKeys: 'Kits werden mit den Schlüsseln geprüft, die *OWN* veröffentlicht.',
  oldBrowser:
    'Dieser Browser unterstützt keine Ed25519-Signaturen, deshalb scheitert hier jedes Kit. Verwenden Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari.',
  kit: 'Kit',
  drop: 'Ziehen Sie das Kit hierher: die *ZIP-Datei*, wie Sie sie erhalten haben, oder den *Ordner*, in den Sie sie entpackt haben.',
  chooseZip: 'ZIP-Datei auswählen…',
  chooseFolder: 'Ordner auswählen…',
  whyChoose:
    'Browser lassen eine Seite den Ordner, in dem sie liegt, nicht öffnen, deshalb müssen Sie ihn auswählen. Fragt der Browser, ob die Dateien „hochgeladen“ werden sollen, ist gemeint, dass diese Seite sie lesen darf.',
  progress: 'Fortschritt',
  checking: 'Wird geprüft',
  stop: 'Anhalten',
  trust: 'Kann ich dieser Seite vertrauen?',
  trustText:
    'Diese Seite führt dieselben Prüfungen aus wie der Dienst und die Kommandozeile. Aber wer ein Kit fälscht, kann auch die Seite darin ändern. Wenn viel vom Ergebnis abhängt, öffnen Sie /verify auf der Website des Ausstellers, unter einer Adresse, die Sie kennen, oder führen Sie `kitseal verify` aus.',
  byHand: 'VERIFY.md in jedem Kit erklärt, wie es sich mit sha256sum und openssl verifizieren lässt.',
}
