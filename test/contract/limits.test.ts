import { clearExtension, clone, createFileRegistry, type DescFile, setExtension } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limitGaps } from '../../cli/checks/limits.ts'
import { file_platform_auth_v1_sign_in as signIn } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import {
  AddressLimit,
  type Limit,
  LimitSchema,
  limit,
  Mail,
  MailSchema,
} from '../../gen/platform/options/v1/options_pb.ts'
import { onboardingKey } from '../../services/notification/intake/invitation-mail.ts'
import { mailTemplates, slugOf } from '../../services/notification/texts/default-templates.ts'
import { loadFiles } from './descriptors.ts'

const test = suite('contract: limits')
const files = await loadFiles()

/** The sign-in descriptors with the limit of Login changed, or removed without `change`. */
function withLimit(change?: Partial<Limit>): DescFile {
  const proto = clone(FileDescriptorProtoSchema, signIn.proto)
  const options = proto.service[0]?.method.find(({ name }) => name === 'Login')?.options
  if (!options) throw new Error('Login has options')
  clearExtension(options, limit)
  if (change)
    setExtension(options, limit, { ...clone(LimitSchema, { $typeName: LimitSchema.typeName, ...none }), ...change })
  const filesByName = new Map(imported(signIn).map(file => [file.proto.name, file]))
  const changedFile = createFileRegistry(proto, name => filesByName.get(name)).getFile(proto.name)
  if (!changedFile) throw new Error('no file')
  return changedFile
}

const none = { address: 0, reason: '', subject: '', policy: '', perHour: 0, own: false, mail: 0 } as const

const imported = (file: DescFile): DescFile[] => file.dependencies.flatMap(one => [one, ...imported(one)])

const findGap = (change?: Partial<Limit>): string | undefined =>
  limitGaps([withLimit(change)]).find(problem => problem.includes('SignInService.Login'))

test('every public method declares its limit by client address, and every kind of mail is declared', () => {
  assert.equal(limitGaps(files), [])
})

test('a public method without a limit, or with an incomplete one, is refused by the check', () => {
  assert.match(findGap() ?? '', 'no limit option')
  assert.match(findGap({}) ?? '', 'no limit option')
  assert.match(findGap({ address: AddressLimit.NONE }) ?? '', 'requires a reason')
  assert.match(findGap({ address: AddressLimit.ANONYMOUS, reason: 'none needed' }) ?? '', 'requires a reason')
  assert.match(findGap({ address: AddressLimit.ANONYMOUS, subject: 'email' }) ?? '', 'set together')
  assert.match(findGap({ address: AddressLimit.ANONYMOUS, subject: 'mail', policy: 'x' }) ?? '', 'no text field "mail"')
  assert.match(findGap({ address: AddressLimit.ANONYMOUS, perHour: 5 }) ?? '', 'names none')
  assert.is(findGap({ address: AddressLimit.ANONYMOUS }), undefined)
  assert.is(findGap({ address: AddressLimit.ANONYMOUS, subject: 'email', policy: 'x' }), undefined)
})

test('a kind of mail that no method declares is refused by the check', () => {
  assert.ok(limitGaps([signIn]).some(problem => problem.startsWith('MAIL_TEMPORARY_PASSWORD: no method')))
})

test('the kinds of mails match the templates that are mailed to an address', () => {
  const kinds = MailSchema.values.filter(({ number }) => number !== Mail.UNSPECIFIED)
  // No call causes this one.
  const caused = mailTemplates.filter(({ type }) => type !== 'webhook')
  const templates = caused.map(({ type, category }) => slugOf(`${type}.${category}`))
  assert.equal(
    kinds.map(({ localName }) => localName.toLowerCase()).toSorted(),
    [...templates, slugOf(onboardingKey)].toSorted(),
  )
})

test.run()
