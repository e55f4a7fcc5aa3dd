// The IDs in the parameters of a route, for Express and Fastify.

import { wrong } from './arguments.js';
import { SaibanError } from './errors.js';
import { type IdFormat, type IdOf, IdTexts } from './texts.js';

/** The formats of the IDs in a route's parameters, by name. */
export type ParamFormats = Readonly<Record<string, IdFormat>>;

/** The parameters of a route after `idParams`. */
export type IdParams<Formats extends ParamFormats> = { [Name in keyof Formats]: IdOf<Formats[Name]> };

/** The error of a parameter that is not an ID: a {@link SaibanError} with the HTTP status 400. */
export interface IdParamError extends SaibanError {
  /** The HTTP status. Error handlers of Express and Fastify read it. */
  readonly statusCode: 400;
}

/** The body of the response to an invalid parameter. */
export interface BadRequest {
  readonly statusCode: 400;
  /** The code of the error; see `ErrorCode`. */
  readonly code: string;
  readonly error: 'Bad Request';
  /** The name of the parameter, what is wrong, the position and the limits. */
  readonly message: string;
}

/**
 * Returns a function that replaces a route's parameters with IDs. The function returns the error of
 * an invalid parameter, and throws for a parameter that the route does not have. @internal
 */
export function paramReader(formats: ParamFormats): (params: Record<string, unknown>) => IdParamError | undefined {
  const readers = Object.entries(formats).map(([name, format]) => [name, new IdTexts(format)] as const);
  return (params) => {
    for (const [name, texts] of readers) {
      const value = params[name];
      if (typeof value !== 'string') {
        throw wrong(`the parameter ${name} of this route`, 'idParams the name of a parameter in its path', value);
      }
      try {
        params[name] = texts.read(value);
      } catch (error) {
        if (!(error instanceof SaibanError)) throw error;
        const named = new SaibanError(error.code, `the parameter ${name}: ${error.message}`, error.position);
        return Object.assign(named, { statusCode: 400 as const });
      }
    }
    return undefined;
  };
}

/** Returns the body of the response to an error. @internal */
export function badRequest({ statusCode, code, message }: IdParamError): BadRequest {
  return { statusCode, code, error: 'Bad Request', message };
}
