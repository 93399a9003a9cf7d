//! Prints any resource by any name that kubectl takes: `cargo run --example get --features native -- po,deploy.apps -A`.
//!
//! `TYPE[,TYPE...] [NAME...]` or `TYPE/NAME...`, with `-n NAMESPACE`, or `-A` for all of them. A type is a plural, a singular, a
//! kind or a short name, with a version or a group where it needs one, or a category such as `all`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod columns;

use std::{error::Error, process::ExitCode};

use porthole_client_core::{
    clients::TableClient,
    config::kubeconfig::Overrides,
    host::native::{Connected, connect},
    mapper::{DeferredMapper, RestMapping},
    rest::ListOptions,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Err(error) = run().await else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

async fn run() -> Result<()> {
    let (mut overrides, mut everywhere, mut words) = (Overrides::default(), false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "-A" => everywhere = true,
            "-n" => overrides = overrides.with_namespace(&arguments.next().ok_or("-n needs the name of a namespace")?),
            option if option.starts_with('-') => return Err(format!("{option:?} is unknown: there are -A and -n").into()),
            _ => words.push(word),
        }
    }
    let Connected { client, namespace: chosen, .. } = connect(&overrides)?;
    let wanted = wanted(&DeferredMapper::of_client(client.clone()), &words).await?;

    let (tell_kinds, mut printed) = (wanted.chunk_by(|(one, _), (next, _)| one == next).count() > 1, false);
    for (mapping, names) in wanted {
        let namespace_column = mapping.is_namespaced() && everywhere;
        let namespace = (mapping.is_namespaced() && !everywhere).then(|| chosen.clone());
        let tables = TableClient::namespaced(client.clone(), &mapping.resource, namespace.unwrap_or_default())?;
        let (all, all_of_them) = (names.is_empty().then_some(None), ListOptions::default());
        let mut rows = Vec::new();
        for name in names.into_iter().map(Some).chain(all) {
            let table = if let Some(name) = name { tables.get(name).await? } else { tables.list(&all_of_them).await? };
            let columns = table.columns.unwrap_or_default();
            if rows.is_empty() {
                let names = columns.iter().filter(|column| column.priority == 0).map(|column| column.name.to_uppercase());
                rows.push(namespace_column.then(|| "NAMESPACE".to_owned()).into_iter().chain(names).collect::<Vec<_>>());
            }
            for row in table.rows {
                let seen = row.cells.iter().zip(&columns).filter(|(_, column)| column.priority == 0);
                let mut cells: Vec<_> = seen.map(|(cell, _)| cell.to_string()).collect();
                if let Some(name) = cells.first_mut().filter(|_| tell_kinds) {
                    *name = format!("{}/{name}", mapping.kind.group_kind().to_string().to_lowercase());
                }
                cells.splice(0..0, row.namespace.filter(|_| namespace_column).map(|namespace| namespace.to_string()));
                rows.push(cells);
            }
        }
        if rows.len() > 1 {
            print!("{}", if std::mem::replace(&mut printed, true) { "\n" } else { "" });
            columns::print(&rows);
        }
    }
    if !printed {
        eprintln!("No resources found");
    }
    Ok(())
}

/// What the words name, in their order. No name is all of them.
async fn wanted(mapper: &DeferredMapper, words: &[String]) -> Result<Vec<(RestMapping, Vec<String>)>> {
    let (types, names) = words.split_first().ok_or("name a type of resource, such as \"pods\" or \"deploy.apps/web\"")?;
    let mut wanted: Vec<(RestMapping, Vec<String>)> = Vec::new();
    for word in words.iter().filter(|_| types.contains('/')) {
        let (kind, name) = word.split_once('/').ok_or_else(|| format!("{word:?} is no TYPE/NAME, as the first is"))?;
        let mapping = mapper.resolve(kind).await?;
        match wanted.last_mut().filter(|(last, _)| *last == mapping) {
            Some((_, names)) => names.push(name.to_owned()),
            None => wanted.push((mapping, vec![name.to_owned()])),
        }
    }
    for kind in types.split(',').filter(|types| !types.contains('/')) {
        let category = mapper.expand_category(kind).await?;
        for resource in category.map_or_else(|| vec![kind.to_owned()], |all| all.iter().map(ToString::to_string).collect()) {
            wanted.push((mapper.resolve(&resource).await?, names.to_vec()));
        }
    }
    Ok(wanted)
}
