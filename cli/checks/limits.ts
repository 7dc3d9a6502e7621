import type { DescFile } from '@bufbuild/protobuf'
import { Mail, MailSchema } from '../../gen/platform/options/v1/options_pb.ts'
import { limitOf, limitProblem } from '../../services/kernel/rpc/limits/limit-option.ts'

/** Problems with the limits of methods: public methods without one, and kinds of mails that no method declares. */
export function limitGaps(files: DescFile[]): string[] {
  const methods = files.flatMap(file => file.services.flatMap(service => service.methods))
  const problems = methods.flatMap(method => {
    const problem = limitProblem(method)
    return problem ? [`${method.parent.typeName}.${method.name}: ${problem}`] : []
  })
  const declaredMails = new Set<number | undefined>(methods.map(method => limitOf(method)?.mail))
  const idle = MailSchema.values.filter(({ number }) => number !== Mail.UNSPECIFIED && !declaredMails.has(number))
  return [...problems, ...idle.map(({ name }) => `${name}: no method declares that it sends this mail`)]
}
