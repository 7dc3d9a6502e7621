import { createValidator } from '@bufbuild/protovalidate'

const compiled = new Map<string, RegExp>()

/**
 * Holds messages to the constraints of their proto. Patterns are those of our own protos, which test/contract holds to
 * forms that take linear time, so they are matched by the platform's engine: the library's own, made for patterns from
 * anywhere, takes six times as long for every id.
 */
export const validator = createValidator({
  regexMatch(pattern, text) {
    let expression = compiled.get(pattern)
    if (!expression) {
      expression = new RegExp(pattern, 'u')
      compiled.set(pattern, expression)
    }
    return expression.test(text)
  },
})
