import type { PageTexts } from './en.ts'

export const fr: PageTexts = {
  title: 'Ce kit est-il authentique ?',
  language: 'Langue',
  skip: 'Aller au kit',
  intro:
    'Un kit de preuves contient des fichiers que quelqu’un a fournis comme preuves, scellés par un émetteur de sorte que toute modification se voie.',
  named: 'Celui-ci nomme *ISSUER* comme émetteur, mais n’importe qui peut écrire ce nom.',
  how: 'Déposez le kit ci-dessous, et cette page contrôle chaque fichier qu’il contient. Elle vous aide ensuite à savoir si l’émetteur l’a vraiment scellé. Rien n’est téléversé : cette page fonctionne hors ligne.',
  ownKeys: 'Les kits sont contrôlés avec les clés que *OWN* publie.',
  oldBrowser:
    'Ce navigateur ne prend pas en charge les signatures Ed25519 : chaque kit échoue donc ici. Utilisez une version récente de Chrome, Edge, Firefox ou Safari.',
  kit: 'Kit',
  drop: 'Déposez le kit ici : le *fichier zip* tel que vous l’avez reçu, ou le *dossier* dans lequel vous l’avez décompressé.',
  chooseZip: 'Choisir le fichier zip…',
  chooseFolder: 'Choisir le dossier…',
  whyChoose:
    'Les navigateurs n’autorisent pas une page à ouvrir le dossier où elle se trouve : vous devez donc le choisir. Si le navigateur parle d’« importer » ou de « charger » les fichiers, cela signifie que cette page peut les lire.',
  progress: 'Avancement',
  checking: 'Contrôle en cours',
  stop: 'Arrêter',
  trust: 'Puis-je me fier à cette page ?',
  trustText:
    'Cette page effectue les mêmes contrôles que le service et la ligne de commande. Mais celui qui falsifie un kit peut aussi modifier la page qu’il contient. Si l’enjeu est important, ouvrez /verify sur le site de l’émetteur, à une adresse que vous connaissez, ou exécutez `kitseal verify`.',
  byHand: 'Dans chaque kit, VERIFY.md explique comment le vérifier avec sha256sum et openssl.',
}
