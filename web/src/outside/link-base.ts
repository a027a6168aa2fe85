/** The path of the link that this page was opened with, such as `/s/TOKEN`. Everything else is below it. */
export const linkBase = (): string => location.pathname.split('/').slice(0, 3).join('/')
