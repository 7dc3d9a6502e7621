import { dictionary } from '@zxcvbn-ts/language-common'

/** Some 18,000 passwords of at least 8 characters from lists of leaked ones, in lower case. */
export const listedPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].map(text => text.toLowerCase()).filter(text => text.length >= 8),
)

/** Passwords that attackers try first, for hotels in particular, whether or not the leaks contain them. */
const commonPasswords: ReadonlySet<string> = new Set(
  `
  password qwertyui qwertyuiop iloveyou princess sunshine football baseball superman trustno1 whatever starwars
  computer michelle jennifer corvette mercedes maverick internet abcd1234 1q2w3e4r 1qaz2wsx zaq12wsx asdfghjk
  asdfghjkl zxcvbnm1 qazwsxedc q1w2e3r4 q1w2e3r4t5 1q2w3e4r5t 1234qwer qwer1234 asdf1234 azertyui azertyuiop
  azerty123 azerty1234 motdepasse bonjour1 bonjour123 soleil123 doudou123 loulou123 marseille chocolat
  password! p@ssw0rd p@ssword passw0rd passwort password1 password12 password123 password1234 password!1
  passer123 admin123 admin1234 admin12345 administrator welcome1 welcome123 welcome1234 letmein1 letmein123
  changeme changeme1 changeme123 secret123 default1 test1234 testtest guest123 user1234 master123 monkey123
  dragon123 shadow123 hello123 hello1234 access14 hotel123 hotel1234 hotelhotel reception reception1 staff123
  staff1234 summer2023 summer2024 summer2025 winter2023 winter2024 winter2025 spring2024 spring2025 autumn2024
  autumn2025 12345678 123456789 1234567890 12345678910 0123456789 87654321 987654321 9876543210 11223344
  1122334455 123123123 123321123 147258369 159753456 789456123 12341234 12344321 abc12345 abcdefgh abcdefghi
  a1b2c3d4 aa123456 a1234567 a12345678 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyqwerty passwordpassword
  iloveyou1 liverpool liverpool1 chelsea1 arsenal1 barcelona realmadrid juventus manchester charlie1 michael1
  jordan23 pokemon1 pokemon123 minecraft nintendo samsung1 google123 facebook facebook1 linkedin snoopy123
  butterfly elephant blink182 metallica slipknot nirvana1 hallo123 sommer2024 schatz123 ficken123 contraseña
  contrasena hola1234 ciaociao amoremio
  `
    .trim()
    .split(/\s+/),
)

/** Whether the characters follow each other at one constant distance: abcdefgh, 98765432, aaaaaaaa. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, letter => letter.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return Math.abs(step) <= 1 && codes.every((code, index) => index === 0 || code - (codes[index - 1] ?? 0) === step)
}

/** Patterns too many to list: sequences, repetitions of something short, one or two distinct characters. */
const isMonotonous = (text: string): boolean =>
  new Set(text).size < 3 || isSequence(text) || /^(.{1,4})\1+$/u.test(text)

/** Whether a password is listed, in any case, is monotonous, or repeats the e-mail. */
export function isCommon(password: string, email: string): boolean {
  const text = password.toLowerCase()
  const address = email.toLowerCase()
  const [mailbox = ''] = address.split('@')
  const isListed = listedPasswords.has(text) || commonPasswords.has(text)
  return isListed || isMonotonous(text) || text === address || text === mailbox
}
