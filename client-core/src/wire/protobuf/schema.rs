//! Which field has which number.

use rustc_hash::FxHashMap;

use super::ProtobufError;

/// The messages that hold metadata alone, and refusals.
const METADATA: &str = include_str!("metadata.txt");

/// The messages of Kubernetes' own types.
const KUBERNETES: &str = include_str!("kubernetes.txt");

/// How objects look in protobuf: of each type the fields, with their numbers and their names in JSON.
///
/// It is text, one type a line, as `tools/protobuf-schema` prints it from the types of Go:
/// `v1/Pod 1:metadata:@meta.k8s.io/v1/ObjectMeta 2:spec:@.PodSpec 3:status:@.PodStatus`. The `@` refers to another type, `@.` to
/// one of the same version. Before it, or before the letter of a scalar, may stand: `*` for a list, `%` for a map from texts,
/// `^` for a message whose fields are those of the one it is in, `?` for a scalar that JSON leaves out where it is zero. The
/// letters: `s` text, `i` whole number, `d` float, `b` boolean, `y` bytes, `T` time, `U` time to the microsecond, `Q` quantity,
/// `I` number or text, `J` any JSON, `L` list of texts that may be null, and of a schema of JSON's own: `B` one or a boolean,
/// `A` one or several, `S` one or texts.
#[derive(Debug)]
pub struct Schema {
    messages: Vec<Message>,
    kinds: FxHashMap<Box<str>, usize>,
}

#[derive(Debug, Default)]
pub(super) struct Message {
    /// By their numbers.
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    /// As JSON has it; empty where the fields of the message are those of the one it is in.
    pub(super) name: Box<str>,
    pub(super) cardinality: Cardinality,
    /// Whether zero is not there.
    pub(super) omits_zero: bool,
    pub(super) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cardinality {
    One,
    Inline,
    List,
    Map,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Integer,
    Float,
    Boolean,
    Bytes,
    Time,
    MicroTime,
    Quantity,
    IntegerOrText,
    Json,
    Texts,
    Message(usize),
    MessageOrBoolean(usize),
    MessageOrMessages(usize),
    MessageOrTexts(usize),
}

impl Schema {
    /// What a client of metadata alone needs: small.
    #[must_use]
    pub fn metadata() -> Self {
        Self::known(METADATA)
    }

    /// All built-in kinds of Kubernetes 1.33 to 1.37, those of `CustomResourceDefinition` and `APIService` with them. Reading it
    /// takes a few milliseconds and its text 160 kB of a program that calls this; share it.
    #[must_use]
    pub fn kubernetes() -> Self {
        Self::known(KUBERNETES)
    }

    fn known(text: &str) -> Self {
        // A test reads both.
        Self::parse(text).unwrap_or_else(|_broken| Self { messages: Vec::new(), kinds: FxHashMap::default() })
    }

    /// The schema in `text`, such as one of a newer Kubernetes.
    ///
    /// # Errors
    /// [`ProtobufError::Schema`] where a line is wrong, or refers to a type that is in none.
    pub fn parse(text: &str) -> Result<Self, ProtobufError> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.split_ascii_whitespace()));
        let lines = lines.filter_map(|(index, mut words)| Some((index, words.next().filter(|name| *name != "#")?, words)));
        let lines: Vec<_> = lines.collect();
        let kinds: FxHashMap<Box<str>, usize> =
            lines.iter().enumerate().map(|(index, (_, name, _))| ((*name).into(), index)).collect();
        let message = |(line, name, words): &(usize, &str, std::str::SplitAsciiWhitespace<'_>)| {
            let version = name.rsplit_once('/').map_or("", |(version, _)| version);
            let mut fields = words
                .clone()
                .map(|word| {
                    let broken = || ProtobufError::Schema { line: *line, word: word.to_owned() };
                    field(word, version, &kinds).ok_or_else(broken)
                })
                .collect::<Result<Vec<_>, _>>()?;
            fields.sort_by_key(|field| field.number);
            Ok(Message { fields })
        };
        let messages = lines.iter().map(message).collect::<Result<_, _>>()?;
        Ok(Self { messages, kinds })
    }

    /// Whether objects of this kind can be read and written.
    #[must_use]
    pub fn has(&self, api_version: &str, kind: &str) -> bool {
        self.kind(api_version, kind).is_some()
    }

    pub(super) fn kind(&self, api_version: &str, kind: &str) -> Option<&Message> {
        // Servers name the version of the core for it (`metav1.Unversioned`).
        let api_version = if kind == "Status" { "meta.k8s.io/v1" } else { api_version };
        let mut name = String::with_capacity(api_version.len() + kind.len() + 1);
        name.extend([api_version, "/", kind]);
        Some(self.message(*self.kinds.get(name.as_str())?))
    }

    pub(super) fn message(&self, index: usize) -> &Message {
        const NONE: &Message = &Message { fields: Vec::new() };
        self.messages.get(index).unwrap_or(NONE)
    }
}

fn field(word: &str, version: &str, kinds: &FxHashMap<Box<str>, usize>) -> Option<Field> {
    let (number, rest) = word.split_once(':')?;
    let (name, form) = rest.split_once(':')?;
    let mut rest = form;
    let mut strip = |flag: char| rest.strip_prefix(flag).map(|stripped| rest = stripped).is_some();
    let omits_zero = strip('?');
    let cardinality = match () {
        () if strip('*') => Cardinality::List,
        () if strip('%') => Cardinality::Map,
        () if strip('^') => Cardinality::Inline,
        () => Cardinality::One,
    };
    let (letter, reference) = rest.split_once('@').map_or((rest, None), |(letter, name)| (letter, Some(name)));
    let message = || {
        let reference = reference?;
        match reference.strip_prefix('.') {
            Some(own) => kinds.get(format!("{version}/{own}").as_str()).copied(),
            None => kinds.get(reference).copied(),
        }
    };
    let form = match letter {
        "s" => Form::Text,
        "i" => Form::Integer,
        "d" => Form::Float,
        "b" => Form::Boolean,
        "y" => Form::Bytes,
        "T" => Form::Time,
        "U" => Form::MicroTime,
        "Q" => Form::Quantity,
        "I" => Form::IntegerOrText,
        "J" => Form::Json,
        "L" => Form::Texts,
        "" => Form::Message(message()?),
        "B" => Form::MessageOrBoolean(message()?),
        "A" => Form::MessageOrMessages(message()?),
        "S" => Form::MessageOrTexts(message()?),
        _ => return None,
    };
    let is_inline = cardinality == Cardinality::Inline;
    let fits = (name.is_empty() == is_inline) && (!is_inline || matches!(form, Form::Message(_)));
    let number = number.parse().ok().filter(|number| (1..1 << 29).contains(number) && fits)?;
    Some(Field { number, name: name.into(), cardinality, omits_zero, form })
}
