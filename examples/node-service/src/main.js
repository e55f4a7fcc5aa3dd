// The service as a program: SAIBAN_NODE (this process's own), SAIBAN_SECRET (32 hexadecimal digits), PORT.

import { createService } from './service.js';

const { SAIBAN_NODE, SAIBAN_SECRET, PORT = '0' } = process.env;
if (!SAIBAN_NODE || !SAIBAN_SECRET) {
  console.error('give SAIBAN_NODE (0 to 31) and SAIBAN_SECRET (made by: saiban secret)');
  process.exit(2);
}
const service = createService({ node: Number(SAIBAN_NODE), secret: Buffer.from(SAIBAN_SECRET, 'hex') });
service.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${service.address().port}/ids`);
});
