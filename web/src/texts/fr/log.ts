import type { log as english } from '../en/log.ts'

export const log: typeof english = {
  title: 'Journal de transparence',
  lead: 'Chaque reçu et chaque changement d’une clé de signature est une entrée de ce journal. Les entrées ne sont jamais modifiées ni retirées, et chacun peut le contrôler.',
  unavailable: 'Le journal n’a pas pu être chargé.',
  notSigned: 'Le checkpoint n’est pas signé avec la clé de ce journal. Ne vous y fiez pas.',
  frozenTitle: 'Le journal est gelé',
  frozen: (since) =>
    `Rien n’a été ajouté depuis le ${since}, car il faut d’abord s’assurer que le journal est complet. Ce qui a été émis avant reste valide.`,
  checkpoint: 'Dernier checkpoint',
  size: 'Entrées',
  last: 'Dernière entrée',
  origin: 'Nom',
  root: 'Hachage racine',
  key: 'Clé du journal',
  signature: 'Signature',
  signed: 'Valide, contrôlée dans ce navigateur',
  unsigned: 'Non valide',
  witnesses: {
    title: 'Témoins',
    lead: 'Des tiers indépendants qui contrôlent que le journal ne fait que croître et cosignent ses checkpoints. Obtenez leurs clés auprès d’eux, pas ici.',
    none: 'Aucun témoin ne cosigne ce journal. Seuls ceux qui le surveillent remarqueraient une modification.',
    name: 'Témoin',
    key: 'Clé',
    seen: 'Cosigné',
    notYet: 'Pas encore',
  },
  monitor: {
    title: 'Surveiller le journal',
    text: 'Cette commande contrôle les nouveautés, et que rien n’a été modifié ni retiré. Exécutez-la toutes les quelques minutes, sur une machine à vous :',
    command: (issuer) => `kitseal monitor ${issuer}`,
    what: 'commande',
    guide: 'Mettre en place une surveillance en cinq minutes',
    files: 'Pour d’autres applications, aux formats de C2SP :',
  },
}
