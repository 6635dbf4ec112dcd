//! Result columns as Python lists, for users without an Arrow library.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Returns a dictionary with one list per column.
pub(super) fn columns_as_lists<'py>(
    py: Python<'py>,
    names: &[String],
    batches: &[RecordBatch],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    for (at, name) in names.iter().enumerate() {
        let list = PyList::empty(py);
        for batch in batches {
            append_column(&list, batch.column(at))?;
        }
        columns.set_item(name, list)?;
    }
    Ok(columns)
}

fn append_column(list: &Bound<'_, PyList>, column: &ArrayRef) -> PyResult<()> {
    match column.data_type() {
        DataType::Int32 => column.as_primitive::<Int32Type>().iter().try_for_each(|value| list.append(value)),
        DataType::List(_) => {
            let py = list.py();
            let mentions = column.as_list::<i32>();
            let items = mentions.values().as_struct();
            for row in 0..mentions.len() {
                if mentions.is_null(row) {
                    list.append(py.None())?;
                    continue;
                }
                let found = PyList::empty(py);
                let first = usize::try_from(mentions.value_offsets()[row]).unwrap_or_default();
                for at in first..first + mentions.value(row).len() {
                    let item = PyDict::new(py);
                    for (name, values) in items.column_names().into_iter().zip(items.columns()) {
                        if values.is_null(at) {
                            item.set_item(name, py.None())?;
                            continue;
                        }
                        match values.data_type() {
                            DataType::Float64 => item.set_item(name, values.as_primitive::<Float64Type>().value(at))?,
                            DataType::Int32 => item.set_item(name, values.as_primitive::<Int32Type>().value(at))?,
                            DataType::Boolean => item.set_item(name, values.as_boolean().value(at))?,
                            _ => item.set_item(name, values.as_string::<i32>().value(at))?,
                        }
                    }
                    found.append(item)?;
                }
                list.append(found)?;
            }
            Ok(())
        }
        _ => column.as_string::<i32>().iter().try_for_each(|value| list.append(value)),
    }
}
