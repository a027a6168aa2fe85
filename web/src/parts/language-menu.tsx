import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import { changeLanguage, language } from '../core/language.ts'
import { t } from '../core/texts.ts'
import { Icon } from './icons.tsx'

/** The languages by their own names. Where there is little room, only its icon is seen. */
export function LanguageMenu() {
  return (
    <label className="language" title={t('frame.language')}>
      <Icon name="globe" />
      <select
        value={language}
        aria-label={t('frame.language')}
        onChange={({ target }) => changeLanguage(target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
