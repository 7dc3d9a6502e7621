import english from './en.json' with { type: 'json' }
import french from './fr.json' with { type: 'json' }

/** The texts of a language, those with a value as functions. */
const filled = ({ unread, arrived, againIn, disturbUntil, ...texts }) => ({
  ...texts,
  unread: count => (unread[['none', 'one'][count]] ?? unread.other).replace('{count}', count),
  arrived: title => arrived.replace('{title}', () => title),
  againIn: seconds => againIn.replace('{seconds}', seconds),
  disturbUntil: time => disturbUntil.replace('{time}', time),
})

const [filledEnglish, filledFrench] = [english, french].map(filled)

/**
 * The inbox's own texts; those of notifications come from the platform, in the member's language.
 * @param language a BCP 47 tag; English unless it is French
 */
export const textsOf = language => (/^fr\b/i.test(language) ? filledFrench : filledEnglish)
