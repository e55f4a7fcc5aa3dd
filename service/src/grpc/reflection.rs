//! gRPC server reflection: clients get the descriptors from the service, and need no `.proto` file.
//!
//! The implementation of the library responds from a task that panics if the client disconnects
//! early. This one makes each response when it is read.
//!
//! Source: gRPC Server Reflection Protocol, `grpc.reflection.v1`.

use super::proto::DESCRIPTORS;
use crate::problem::Problem;
use futures_util::StreamExt;
use prost::Message;
use prost_types::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use tokio_stream::Stream;
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest as Asked;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse as Answer;
use tonic_reflection::pb::v1::server_reflection_server::ServerReflection;
use tonic_reflection::pb::v1::{
    ErrorResponse, ExtensionNumberResponse, FILE_DESCRIPTOR_SET, FileDescriptorResponse, ListServiceResponse,
    ServerReflectionRequest, ServerReflectionResponse, ServiceResponse,
};

/// The encoded files, by file name and by symbol, and the names of the services.
#[derive(Default)]
struct Index {
    files: BTreeMap<String, Arc<[u8]>>,
    symbols: BTreeMap<String, Arc<[u8]>>,
    services: Vec<String>,
}

impl Index {
    fn add(&mut self, file: &FileDescriptorProto) {
        let encoded: Arc<[u8]> = file.encode_to_vec().into();
        let package = file.package();
        for message in &file.message_type {
            self.add_message(package, message, &encoded);
        }
        for one in &file.enum_type {
            self.symbols.insert(within(package, one.name()), Arc::clone(&encoded));
        }
        for service in &file.service {
            let name = within(package, service.name());
            for method in &service.method {
                self.symbols.insert(within(&name, method.name()), Arc::clone(&encoded));
            }
            self.symbols.insert(name.clone(), Arc::clone(&encoded));
            self.services.push(name);
        }
        self.files.insert(file.name().to_owned(), encoded);
    }

    fn add_message(&mut self, place: &str, message: &DescriptorProto, file: &Arc<[u8]>) {
        let name = within(place, message.name());
        for nested in &message.nested_type {
            self.add_message(&name, nested, file);
        }
        for one in &message.enum_type {
            self.symbols.insert(within(&name, one.name()), Arc::clone(file));
        }
        for field in &message.field {
            self.symbols.insert(within(&name, field.name()), Arc::clone(file));
        }
        self.symbols.insert(name, Arc::clone(file));
    }

    fn answer(&self, asked: Option<&Asked>) -> Answer {
        let file = |found: Option<&Arc<[u8]>>, name: &str| match found {
            Some(file) => {
                Answer::FileDescriptorResponse(FileDescriptorResponse { file_descriptor_proto: vec![file.to_vec()] })
            }
            None => refusal(Code::NotFound, format!("nothing here is named {name:?}: list the services")),
        };
        match asked {
            Some(Asked::FileByFilename(name)) => file(self.files.get(name), name),
            Some(Asked::FileContainingSymbol(name)) => file(self.symbols.get(name), name),
            Some(Asked::ListServices(_)) => {
                let service = self.services.iter().map(|name| ServiceResponse { name: name.clone() }).collect();
                Answer::ListServicesResponse(ListServiceResponse { service })
            }
            // There are no extensions, but some clients request them.
            Some(Asked::AllExtensionNumbersOfType(base_type_name)) => {
                let base_type_name = base_type_name.clone();
                Answer::AllExtensionNumbersResponse(ExtensionNumberResponse {
                    base_type_name,
                    extension_number: vec![],
                })
            }
            Some(Asked::FileContainingExtension(_)) => refusal(Code::NotFound, "there are no extensions".into()),
            None => refusal(Code::InvalidArgument, "nothing is asked".into()),
        }
    }
}

fn refusal(code: Code, error_message: String) -> Answer {
    Answer::ErrorResponse(ErrorResponse { error_code: code as i32, error_message })
}

fn within(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

/// The implementation of the reflection service.
pub(super) struct Reflection(Arc<Index>);

impl Reflection {
    /// Indexes the descriptors of all services.
    ///
    /// # Errors
    /// Descriptors that cannot be decoded. They are generated with the code, so this does not
    /// happen.
    pub(super) fn new() -> Result<Self, prost::DecodeError> {
        let mut index = Index::default();
        for set in [DESCRIPTORS, tonic_health::pb::FILE_DESCRIPTOR_SET, FILE_DESCRIPTOR_SET] {
            FileDescriptorSet::decode(set)?.file.iter().for_each(|file| index.add(file));
        }
        Ok(Reflection(Arc::new(index)))
    }
}

#[tonic::async_trait]
impl ServerReflection for Reflection {
    type ServerReflectionInfoStream =
        Pin<Box<dyn Stream<Item = Result<ServerReflectionResponse, Status>> + Send + 'static>>;

    async fn server_reflection_info(
        &self,
        request: Request<Streaming<ServerReflectionRequest>>,
    ) -> Result<Response<Self::ServerReflectionInfoStream>, Status> {
        let index = Arc::clone(&self.0);
        let answers = request.into_inner().map(move |asked| {
            // The library would report an internal error.
            let asked =
                asked.map_err(|error| Problem::input(format!("the message cannot be read: {}", error.message())))?;
            let message_response = Some(index.answer(asked.message_request.as_ref()));
            let valid_host = asked.host.clone();
            Ok(ServerReflectionResponse { valid_host, original_request: Some(asked), message_response })
        });
        Ok(Response::new(Box::pin(answers)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(asked: &Asked) -> Answer {
        Reflection::new().expect("descriptors").0.answer(Some(asked))
    }

    #[test]
    fn every_service_and_the_file_of_every_symbol_is_returned() {
        let Answer::ListServicesResponse(list) = asked(&Asked::ListServices(String::new())) else { panic!("a list") };
        let mut names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "grpc.health.v1.Health",
                "grpc.reflection.v1.ServerReflection",
                "saiban_id.v1.IdsService",
                "saiban_id.v1.LeasesService"
            ]
        );
        for symbol in [
            "saiban_id.v1.IdsService",
            "saiban_id.v1.IdsService.Generate",
            "saiban_id.v1.Grant",
            "saiban_id.v1.Parts.node",
        ] {
            let answer = asked(&Asked::FileContainingSymbol(symbol.into()));
            let Answer::FileDescriptorResponse(file) = answer else { panic!("{symbol}: {answer:?}") };
            let file = FileDescriptorProto::decode(&*file.file_descriptor_proto[0]).expect("a file");
            assert_eq!(file.name(), "saiban_id/v1/saiban.proto");
            assert!(matches!(asked(&Asked::FileByFilename(file.name().into())), Answer::FileDescriptorResponse(_)));
        }
    }

    #[test]
    fn a_missing_symbol_is_reported_and_the_stream_continues() {
        for answer in
            [asked(&Asked::FileContainingSymbol("saiban_id.v1.None".into())), asked(&Asked::FileByFilename("x".into()))]
        {
            assert!(matches!(answer, Answer::ErrorResponse(error) if error.error_code == Code::NotFound as i32));
        }
    }
}
