//! The gRPC service `IdsService`: converts messages, and calls `ops`.

use super::proto::ids_service_server::IdsService;
use super::proto::{self, GenerateResponse, StreamResponse};
use super::{Grpc, access, stream};
use crate::metrics::{Operation, Protocol};
use crate::ops::{Batch, CandidateView, Conversion, Described, ErrorView, PartsView};
use crate::problem::Problem;
use saiban::ComposeParts;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

impl From<Batch> for GenerateResponse {
    fn from(batch: Batch) -> Self {
        match batch {
            Batch::Narrow(ids) => GenerateResponse { ids, ..GenerateResponse::default() },
            Batch::Wide(ids) => {
                let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
                GenerateResponse { wide_ids: bytes.into(), ..GenerateResponse::default() }
            }
        }
    }
}

impl From<Batch> for StreamResponse {
    fn from(batch: Batch) -> Self {
        let GenerateResponse { ids, wide_ids } = batch.into();
        StreamResponse { ids, wide_ids }
    }
}

impl From<&PartsView> for proto::Parts {
    fn from(parts: &PartsView) -> Self {
        proto::Parts {
            scheme: parts.scheme.into(),
            layout: parts.layout.map(str::to_owned),
            id: parts.id.clone(),
            bits: parts.bits,
            text: parts.text.clone(),
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns,
            node: parts.node,
            sequence: parts.sequence,
            random: parts.random.map(|random| random.to_string()),
            rollback: parts.rollback,
        }
    }
}

impl From<&saiban::Error> for proto::Problem {
    fn from(error: &saiban::Error) -> Self {
        let ErrorView { code, message, position } = error.into();
        proto::Problem { code: code.into(), message, position: position.map(|position| position as u64) }
    }
}

impl From<CandidateView> for proto::Candidate {
    fn from(view: CandidateView) -> Self {
        let CandidateView { parts, plausible, score, why, .. } = view;
        proto::Candidate { parts: Some((&parts).into()), plausible, score, why }
    }
}

impl From<Described> for proto::Scheme {
    fn from(described: Described) -> Self {
        let Described { name, scheme, layout, bits, encoding, prefix, namespace, nodes, ready, fingerprint } =
            described;
        proto::Scheme {
            name,
            scheme: scheme.into(),
            layout,
            bits,
            encoding: encoding.into(),
            prefix,
            namespace,
            nodes,
            ready,
            fingerprint,
        }
    }
}

#[tonic::async_trait]
impl IdsService for Grpc {
    type StreamStream = stream::Batches;

    async fn generate(&self, request: Request<proto::GenerateRequest>) -> Answer<GenerateResponse> {
        let access = access(&request)?;
        let proto::GenerateRequest { scheme, count } = request.into_inner();
        let work = async {
            let batch = self.0.generate(&access, &scheme, count.max(1) as usize).await?;
            Ok(Response::new(batch.into()))
        };
        Ok(self.0.measure(Operation::Generate, Protocol::Grpc, work).await?)
    }

    async fn stream(&self, request: Request<proto::StreamRequest>) -> Answer<stream::Batches> {
        match stream::begin(&self.0, &request) {
            // The stream counts as a request when it ends.
            Ok(batches) => Ok(Response::new(batches)),
            Err(problem) => Ok(self.0.measure(Operation::Stream, Protocol::Grpc, async { Err(problem) }).await?),
        }
    }

    async fn inspect(&self, request: Request<proto::InspectRequest>) -> Answer<proto::InspectResponse> {
        let access = access(&request)?;
        let proto::InspectRequest { scheme, ids } = request.into_inner();
        let work = async {
            let results = self.0.inspect(&access, &scheme, &ids)?;
            let inspected = ids.into_iter().zip(&results).map(|(input, result)| proto::Inspected {
                input,
                parts: result.as_ref().ok().map(Into::into),
                error: result.as_ref().err().map(Into::into),
            });
            Ok(Response::new(proto::InspectResponse { results: inspected.collect() }))
        };
        Ok(self.0.measure(Operation::Inspect, Protocol::Grpc, work).await?)
    }

    async fn inspect_any(&self, request: Request<proto::InspectAnyRequest>) -> Answer<proto::InspectAnyResponse> {
        let access = access(&request)?;
        let proto::InspectAnyRequest { ids } = request.into_inner();
        let work = async {
            let (inspector, results) = self.0.inspect_any(&access, &ids).await?;
            let inspected = ids.into_iter().zip(&results).map(|(input, result)| match result {
                Ok(found) => proto::Candidates {
                    input,
                    candidates: CandidateView::all(&inspector, &found.candidates).into_iter().map(Into::into).collect(),
                    near_miss: found.near_miss.as_ref().map(Into::into),
                    error: None,
                },
                Err(error) => proto::Candidates { input, error: Some(error.into()), ..proto::Candidates::default() },
            });
            Ok(Response::new(proto::InspectAnyResponse { results: inspected.collect() }))
        };
        Ok(self.0.measure(Operation::Inspect, Protocol::Grpc, work).await?)
    }

    async fn compose(&self, request: Request<proto::ComposeRequest>) -> Answer<proto::ComposeResponse> {
        let access = access(&request)?;
        let asked = request.into_inner();
        let work = async {
            let mut parts = ComposeParts::default();
            parts.timestamp_ms = asked.timestamp_ms;
            parts.submillisecond_ns = asked.submillisecond_ns.map(i64::from);
            parts.node = asked.node;
            parts.sequence = asked.sequence.map(i128::from);
            if let Some(digits) = asked.random.as_deref() {
                let random: u128 = digits
                    .parse()
                    .map_err(|_| Problem::input("random is not a number: give its decimal digits, up to 128 bits"))?;
                parts = parts.random(random);
            }
            parts.rollback = asked.rollback;
            Ok(Response::new(proto::ComposeResponse { id: self.0.compose(&access, &asked.scheme, &parts)? }))
        };
        Ok(self.0.measure(Operation::Compose, Protocol::Grpc, work).await?)
    }

    async fn convert(&self, request: Request<proto::ConvertRequest>) -> Answer<proto::ConvertResponse> {
        let access = access(&request)?;
        let proto::ConvertRequest { texts, from, to, bits, width, from_width, lenient } = request.into_inner();
        let work = async {
            let conversion = Conversion::of(&from, &to, bits, width, from_width, lenient)?;
            let results = self.0.convert(&access, &conversion, &texts)?;
            let converted = texts.into_iter().zip(&results).map(|(from, result)| match result {
                Ok(converted) => proto::Converted {
                    from,
                    id: converted.id.to_string(),
                    text: converted.text.as_str().to_owned(),
                    error: None,
                },
                Err(error) => proto::Converted { from, error: Some(error.into()), ..proto::Converted::default() },
            });
            Ok(Response::new(proto::ConvertResponse { results: converted.collect() }))
        };
        Ok(self.0.measure(Operation::Convert, Protocol::Grpc, work).await?)
    }

    async fn list_schemes(&self, request: Request<proto::ListSchemesRequest>) -> Answer<proto::ListSchemesResponse> {
        let access = access(&request)?;
        let work = async {
            let schemes = self.0.describe_all(&access).into_iter().map(Into::into).collect();
            Ok(Response::new(proto::ListSchemesResponse { schemes }))
        };
        Ok(self.0.measure(Operation::Schemes, Protocol::Grpc, work).await?)
    }
}
