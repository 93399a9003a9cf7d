//! How a request can fail.

use http::StatusCode;
use serde::Deserialize;
use thiserror::Error;

use super::PathError;
use crate::{meta::Status, transport::TransportError};

/// What became of a request that did not succeed.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The server, or something before it, said no.
    #[error("{0}")]
    Refused(Box<Status>),
    /// The connection failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The answer is not what was asked for.
    #[error("the answer to {path} could not be read: {message}")]
    Unreadable {
        /// What was asked.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// A name cannot be put into a URL.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The answer did not come in time.
    #[error("no answer to {path} within {seconds} seconds")]
    TimedOut {
        /// What was asked.
        path: String,
        /// How long it was waited for.
        seconds: u64,
    },
}

impl ApiError {
    /// The server's Status, where it was the server that failed the request.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::Refused(status) => Some(status),
            _ => None,
        }
    }
}

/// The Status in the body of a refusal. A body that is no Status (a proxy's page, say) becomes one: its text
/// without markup, cut short, with the code of the response.
#[must_use]
pub fn decode_status(code: StatusCode, body: &[u8]) -> Status {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        kind: std::borrow::Cow<'a, str>,
    }
    let is_status = serde_json::from_slice::<Kind<'_>>(body).is_ok_and(|object| object.kind == "Status");
    if is_status && let Ok(mut status) = serde_json::from_slice::<Status>(body) {
        if status.code == 0 {
            status.code = code.as_u16();
        }
        return status;
    }
    let text = without_markup(&String::from_utf8_lossy(body));
    let words = code.canonical_reason().unwrap_or("an unknown status");
    let message = if text.is_empty() {
        format!("the server answered {} {words}", code.as_u16())
    } else {
        format!("the server answered {} {words}: {text}", code.as_u16())
    };
    Status { code: code.as_u16(), message, ..Status::default() }
}

/// The words of a page, in one line of at most 300 characters.
fn without_markup(text: &str) -> String {
    let mut inside = false;
    let bare: String = text
        .chars()
        .map(|character| match character {
            '<' => {
                inside = true;
                ' '
            }
            '>' if inside => {
                inside = false;
                ' '
            }
            _ if inside => ' ',
            other => other,
        })
        .collect();
    let mut line = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(300) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_taken_as_it_is() {
        let status = decode_status(
            StatusCode::FORBIDDEN,
            br#"{"kind":"Status","status":"Failure","message":"pods is forbidden","reason":"Forbidden","code":403}"#,
        );
        assert_eq!((status.code, status.message.as_str(), status.reason.as_str()), (403, "pods is forbidden", "Forbidden"));
    }

    #[test]
    fn a_page_instead_of_a_status_becomes_its_words() {
        let status = decode_status(StatusCode::BAD_GATEWAY, b"<html><h1>502 Bad\nGateway</h1><p>nginx</p></html>");
        assert_eq!(status.message, "the server answered 502 Bad Gateway: 502 Bad Gateway nginx");
        let plain = decode_status(StatusCode::FORBIDDEN, b"Forbidden");
        assert_eq!(plain.code, 403);
        let empty = decode_status(StatusCode::UNAUTHORIZED, b"");
        assert_eq!(empty.message, "the server answered 401 Unauthorized");
    }
}
