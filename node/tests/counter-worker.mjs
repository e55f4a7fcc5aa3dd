// A worker thread that takes numbers from the counter at the given URL.
import { parentPort, workerData } from 'node:worker_threads';
import { SharedCounter } from 'saiban';

parentPort.postMessage(await new SharedCounter(workerData, { blockSize: 25 }).generateMany(100));
