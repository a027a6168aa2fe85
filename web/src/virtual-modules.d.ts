declare module 'virtual:page-texts' {
  const loaders: Readonly<
    Record<string, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>
  >
  export default loaders
}
