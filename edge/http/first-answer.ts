import type { Request, RequestHandler } from 'express'

/** The platform's name in the answer at the root of every port. */
export const platformName = 'Hospitality platform'

/** Answers programs with JSON; for a caller that prefers HTML, the next handler answers with a page. */
export const jsonForPrograms =
  (about: (request: Request) => object): RequestHandler =>
  (request, response, next) => {
    response.vary('Accept')
    if (request.accepts(['json', 'html']) === 'html') return next()
    response.json(about(request))
  }
