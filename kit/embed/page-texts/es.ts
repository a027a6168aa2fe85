import type { PageTexts } from './en.ts'

export const es: PageTexts = {
  title: '¿Es auténtico este kit?',
  language: 'Idioma',
  skip: 'Ir al kit',
  intro:
    'Un kit de evidencias contiene archivos que alguien aportó como evidencia, sellados por un emisor para que se note cualquier cambio.',
  named: 'Este indica a *ISSUER* como emisor, pero cualquiera puede escribir ese nombre.',
  how: 'Arrastre el kit aquí abajo y esta página comprobará todos sus archivos. Después le ayudará a averiguar si de verdad lo selló el emisor. No se sube nada: esta página funciona sin conexión.',
  ownKeys: 'Los kits se comprueban con las claves que publica *OWN*.',
  oldBrowser:
    'Este navegador no admite firmas Ed25519, por lo que aquí falla cualquier kit. Use una versión actual de Chrome, Edge, Firefox o Safari.',
  kit: 'Kit',
  drop: 'Arrastre el kit aquí: el *archivo zip* tal como lo recibió o la *carpeta* en la que lo descomprimió.',
  chooseZip: 'Elegir el archivo zip…',
  chooseFolder: 'Elegir la carpeta…',
  whyChoose:
    'Los navegadores no permiten que una página abra la carpeta en la que está, así que debe elegirla. Si el navegador pregunta si quiere «subir» los archivos, significa que esta página podrá leerlos.',
  progress: 'Progreso',
  checking: 'Comprobando',
  stop: 'Detener',
  trust: '¿Puedo confiar en esta página?',
  trustText:
    'Esta página hace las mismas comprobaciones que el servicio y la línea de comandos. Pero quien falsifica un kit también puede cambiar la página que contiene. Si el resultado es importante, abra /verify en el sitio web del emisor, en una dirección que conozca, o ejecute `kitseal verify`.',
  byHand: 'El archivo VERIFY.md de cada kit explica cómo verificarlo con sha256sum y openssl.',
}
