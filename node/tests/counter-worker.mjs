// A worker thread that takes numbers of the counter at the URL that it is given.
import { parentPort, workerData } from 'node:worker_threads';
import { SharedCounter } from 'saiban';

parentPort.postMessage(await new SharedCounter(workerData, { blockSize: 25 }).generateMany(100));
